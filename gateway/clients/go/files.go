package parley

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"parley.example/parley/api"
)

// ImportContacts sends a CSV file as it is read. One that can be read again from where it stands, such as an *os.File, is sent
// again where that helps. The answer comes when all of it has arrived: WaitForImport waits for its end.
func (c *Client) ImportContacts(ctx context.Context, params *api.ImportContactsParams, csv io.Reader) (api.ImportResponse, error) {
	body, editor, err := upload(csv)
	if err != nil {
		return api.ImportResponse{}, err
	}
	return c.Operations.ImportContacts(ctx, params, "text/csv", body, editor)
}

// UploadMedia sends a file of this content type as it is read. Its length must be known: the reader must be an io.ReaderAt and an
// io.Seeker, as an *os.File or a bytes.Reader is.
func (c *Client) UploadMedia(ctx context.Context, params *api.UploadMediaParams, contentType string, file io.Reader) (api.MediaResponse, error) {
	body, editor, err := upload(file)
	if err != nil {
		return api.MediaResponse{}, err
	}
	return c.Operations.UploadMedia(ctx, params, contentType, body, editor)
}

// ExportContacts writes the contacts as CSV, and says how many octets these were. After an error the file is not whole.
func (c *Client) ExportContacts(ctx context.Context, params *api.ExportContactsParams, into io.Writer) (int64, error) {
	return download(into)(c.Raw.ExportContacts(ctx, params))
}

// DownloadMedia writes the file of a message. After an error it is not whole.
func (c *Client) DownloadMedia(ctx context.Context, message api.Id, into io.Writer) (int64, error) {
	return download(into)(c.Raw.DownloadMedia(ctx, message, nil))
}

func download(into io.Writer) func(*http.Response, error) (int64, error) {
	return func(response *http.Response, err error) (int64, error) {
		if err != nil {
			return 0, err
		}
		defer response.Body.Close()
		return io.Copy(into, response.Body)
	}
}

type randomAccess interface {
	io.ReaderAt
	io.Seeker
}

// upload gives a body for a request, and an editor that sets the body's length, and how it is had again, if that can be.
func upload(file io.Reader) (io.Reader, api.RequestEditorFn, error) {
	access, ok := file.(randomAccess)
	if !ok {
		return file, keep, nil
	}
	begin, err := access.Seek(0, io.SeekCurrent)
	if err != nil {
		return file, keep, nil // a pipe
	}
	end, err := access.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, nil, fmt.Errorf("the file's length: %w", err)
	}
	if _, err := access.Seek(begin, io.SeekStart); err != nil {
		return nil, nil, err
	}
	// Each attempt has a reader of its own: an earlier one may still be read when the next begins.
	open := func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(access, begin, end-begin)), nil
	}
	body, _ := open()
	return body, func(_ context.Context, request *http.Request) error {
		request.ContentLength, request.GetBody = end-begin, open
		if end == begin {
			request.Body = http.NoBody
		}
		return nil
	}, nil
}

func keep(context.Context, *http.Request) error { return nil }

// WaitForImport asks for an import until it has ended, and gives each state that it was in to progress, which may be nil.
func (c *Client) WaitForImport(ctx context.Context, id api.Id, progress func(api.Import)) (api.Import, error) {
	var answer Answer
	var last api.Import
	wait := 200 * time.Millisecond
	for {
		response, err := c.GetImport(WithAnswer(ctx, &answer), id, &api.GetImportParams{IfNoneMatch: answer.ETag()})
		switch {
		case errors.Is(err, ErrNotModified):
		case err != nil:
			return last, err
		default:
			last = response.Import
			if progress != nil {
				progress(last)
			}
			if last.FinishedAt != nil {
				return last, nil
			}
		}
		if err := sleep(ctx, wait); err != nil {
			return last, err
		}
		wait = min(wait*3/2, 2*time.Second)
	}
}
