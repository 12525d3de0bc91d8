package parley

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parley.example/parley/api"
)

// A Client is for any number of goroutines.
type Client struct {
	// Operations are those of the contract. Their Raw client gives the responses as they come, with the same promises.
	api.Operations
	transport *transport
}

// An Option changes what New makes.
type Option func(*transport)

// WithHTTPClient sends requests by this client, such as one with a proxy or authorities of its own. Redirects are never followed.
func WithHTTPClient(client *http.Client) Option { return func(t *transport) { t.client = *client } }

// WithOrganization acts in this organization, instead of the credential's own.
func WithOrganization(id string) Option { return func(t *transport) { t.organization = id } }

// WithUserAgent names the program.
func WithUserAgent(name string) Option { return func(t *transport) { t.userAgent = name } }

// WithRetries sends a request again at most this many times (4; 0: never), and waits for none longer than maxWait (1 min): an
// answer that asks for a longer wait is given to the caller, whose Problem.RetryAfter has it.
func WithRetries(times int, maxWait time.Duration) Option {
	return func(t *transport) { t.retries, t.maxWait = times, maxWait }
}

// WithIdleTimeout gives up a connection on which nothing has moved for so long (100 s).
func WithIdleTimeout(idle time.Duration) Option { return func(t *transport) { t.idle = idle } }

// WithRetryNotice calls notice before each wait for another attempt, of any goroutine.
func WithRetryNotice(notice func(RetryNotice)) Option {
	return func(t *transport) { t.notice = notice }
}

// WithDeprecationNotice calls notice for each answer of an operation that is to go: its header has Deprecation (RFC 9745), and
// Sunset (RFC 8594) with the day on which it ends.
func WithDeprecationNotice(notice func(request *http.Request, header http.Header)) Option {
	return func(t *transport) { t.deprecated = notice }
}

// A RetryNotice tells why a request is sent again, and after which wait.
type RetryNotice struct {
	Request *http.Request
	Err     error // a *Problem, or what the connection failed of
	Wait    time.Duration
}

// New makes a client for the server at an address such as https://parley.example.com. The credential is an API key or a session's
// token; "" is for the few operations that need none.
func New(address, credential string, options ...Option) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("parley: the server's address: %w", err)
	}
	if base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("parley: the server's address %q does not begin with http:// or https://", address)
	}
	t := &transport{
		client:     http.Client{Transport: defaultTransport()},
		credential: credential,
		userAgent:  "parley-go",
		retries:    4,
		maxWait:    time.Minute,
		idle:       100 * time.Second,
	}
	for _, option := range options {
		option(t)
	}
	t.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	raw, err := api.NewClient(base.String(), api.WithHTTPClient(t))
	if err != nil {
		return nil, err
	}
	return &Client{Operations: api.Operations{Raw: raw}, transport: t}, nil
}

func defaultTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}).DialContext
	transport.MaxIdleConnsPerHost = 16
	return transport
}

// Ptr is for the optional fields of parameters and bodies.
func Ptr[T any](value T) *T { return &value }

// ErrNotModified says that what IfNoneMatch names is still good.
var ErrNotModified = api.ErrNotModified

// AsProblem finds the server's answer in an error.
func AsProblem(err error) (*Problem, bool) {
	var problem *Problem
	found := errors.As(err, &problem)
	return problem, found
}

// Call sends a request to any path, such as /api/lists, with the same promises as an operation has.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, contentType string, body io.Reader) (*http.Response, error) {
	address, err := url.Parse(c.Raw.Server)
	if err != nil {
		return nil, err
	}
	target, err := url.Parse("./" + strings.TrimPrefix(path, "/"))
	if err != nil {
		return nil, err
	}
	if len(query) > 0 {
		target.RawQuery = strings.Trim(target.RawQuery+"&"+query.Encode(), "&")
	}
	reader, editor := io.Reader(nil), api.RequestEditorFn(keep)
	if body != nil {
		if reader, editor, err = upload(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, address.ResolveReference(target).String(), reader)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if err := editor(ctx, request); err != nil {
		return nil, err
	}
	return c.transport.Do(request)
}
