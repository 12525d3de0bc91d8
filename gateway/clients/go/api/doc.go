// Package api holds the types and the operations of Parley's contract, gateway/openapi.yaml. All but this file is generated
// from it. Programs make a parley.Client, which has these operations with retries, typed errors and iterators.
package api

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml openapi.yaml
