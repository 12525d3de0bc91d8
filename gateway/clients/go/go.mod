module parley.example/parley

go 1.25.0

require (
	github.com/google/uuid v1.6.0
	github.com/oapi-codegen/nullable v1.1.0
	github.com/oapi-codegen/runtime v1.4.2
	github.com/spf13/cobra v1.10.2
	golang.org/x/term v0.36.0
)

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.39.0 // indirect
)
