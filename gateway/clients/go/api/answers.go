package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
)

// answer reads the JSON of a successful response. The Client's HttpRequestDoer makes errors of all others.
func answer[T any](response *http.Response, err error) (T, error) {
	var value T
	if err != nil {
		return value, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotModified {
		return value, ErrNotModified
	}
	if response.StatusCode >= 300 {
		return value, fmt.Errorf("%s %s: %s", response.Request.Method, response.Request.URL.Path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(&value); err != nil {
		return value, fmt.Errorf("%s %s: the answer: %w", response.Request.Method, response.Request.URL.Path, err)
	}
	_, _ = io.Copy(io.Discard, response.Body) // so that the connection is used again
	return value, nil
}

// ErrNotModified says that what IfNoneMatch names is still good.
var ErrNotModified = errors.New("not modified")

func nothing(response *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s", response.Request.Method, response.Request.URL.Path, response.Status)
	}
	return nil
}

// pages calls read with the cursor of each page, nil for the first.
func pages[T any](read func(cursor *string) ([]T, *string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var cursor *string
		for {
			records, next, err := read(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, record := range records {
				if !yield(record, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			cursor = next
		}
	}
}
