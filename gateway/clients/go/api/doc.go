// Package api holds the types and the operations of Parley's contract, gateway/openapi.yaml. api.gen.go is generated
// from it, by the template beside it. Programs make a parley.Client, which has these operations with retries, typed errors and iterators.
package api

//go:generate go tool -modfile=../tools.mod oapi-codegen -config oapi-codegen.yaml openapi.yaml
