// Package api holds the types and the operations of Parley's contract, gateway/openapi.yaml. All but this file is generated
// from it. Programs make a parley.Client, which has these operations with retries, typed errors and iterators.
package api

//go:generate go tool -modfile=../tools.mod oapi-codegen -config oapi-codegen.yaml openapi.yaml
