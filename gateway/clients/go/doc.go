// Package parley calls Parley's API.
//
//	client, err := parley.New(os.Getenv("PARLEY_URL"), os.Getenv("PARLEY_API_KEY"))
//	for contact, err := range client.ListContactsAll(ctx, &api.ListContactsParams{Status: parley.Ptr(api.ContactStatusActive)}) { … }
//
// A Client has an operation for each of the contract's (package api), and these promises for all of them:
//
//   - What may be sent again is sent again: after 429 and 503, and a 409 with Retry-After, as the answer asks; after 502, 504 and
//     a lost connection if that cannot do it twice. To that end each POST and DELETE has an Idempotency-Key.
//   - An answer that is an error is a *Problem (RFC 9457), for errors.As.
//   - No wait is without end: the context's deadline counts, and a connection on which nothing moves is given up.
//
// Client.Events follows what happens, Webhook verifies what is posted to a webhook.
package parley
