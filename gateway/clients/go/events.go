package parley

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"parley.example/parley/api"
)

// An Event is what happened, told by Events or posted to a webhook.
type Event struct {
	// ID is the place in the stream, to go on behind it; of a webhook its webhook-id, which is the same each time it is tried.
	ID        string
	Type      string // such as message.created; types that are not in the contract may come
	Timestamp time.Time
	Raw       json.RawMessage // all of it
}

// EventReset is the type of the event that says that some were missed: what is shown must be loaded anew.
const EventReset = "reset"

// Value gives the event as its type in the contract, such as api.MessageCreatedEvent, or nil where that is not known.
func (e Event) Value() (any, error) {
	var payload api.EventPayload
	if err := json.Unmarshal(e.Raw, &payload); err != nil {
		return nil, err
	}
	value, err := payload.ValueByDiscriminator()
	if err != nil && strings.HasPrefix(err.Error(), "unknown discriminator value") { // the generated code has no type for it
		return nil, nil
	}
	return value, err
}

// ErrEvent says that what was told as an event cannot be read: it is no JSON object of that kind, or too long.
var ErrEvent = errors.New("what was told is no event")

func eventOf(id string, raw []byte) (Event, error) {
	var head struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	return Event{ID: id, Type: head.Type, Timestamp: head.Timestamp, Raw: raw}, nil
}

// The server sends a comment every 15 seconds.
const streamIdle = 45 * time.Second

// Events tells what happens, as it happens, until the context ends; that is the last error then. After a break of any kind it goes
// on where it was, so that nothing is missed and nothing told twice; what came too long ago for that is an EventReset. It begins
// now, or behind the event of params.LastEventID; other params choose what is told. It ends with an error where it cannot begin, with a *Problem where the credential is
// refused later, and with ErrEvent rather than leave out what it cannot read.
func (c *Client) Events(ctx context.Context, params api.StreamEventsParams) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s := stream{client: c, params: params, wait: firstWait}
		if params.LastEventID != nil {
			s.last = *params.LastEventID
		}
		for broken := 0; ; broken++ {
			heard, err := s.follow(ctx, yield)
			if errors.Is(err, errStopped) {
				return
			}
			if ctx.Err() != nil {
				yield(Event{}, context.Cause(ctx))
				return
			}
			if problem, ok := AsProblem(err); !s.opened || errors.Is(err, ErrEvent) || (ok && !isTemporary(problem.Status)) {
				yield(Event{}, err)
				return
			}
			if heard {
				broken = 0
			}
			if err := sleep(ctx, s.pause(broken, err)); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

// EventsPosition is where the stream of events stands now, for Events: what is done next is told behind it.
func (c *Client) EventsPosition(ctx context.Context) (string, error) {
	s := stream{client: c, params: api.StreamEventsParams{Wait: Ptr(0)}}
	_, err := s.follow(ctx, func(Event, error) bool { return true })
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	if s.last == "" {
		return "", errors.New("the stream of events has no position")
	}
	return s.last, nil
}

var errStopped = errors.New("who listened has stopped")

type stream struct {
	client *Client
	params api.StreamEventsParams
	opened bool          // once
	last   string        // Last-Event-ID
	wait   time.Duration // before it is asked for again, as the server would have it
}

// follow reads one answer to its end; heard says that something came.
func (s *stream) follow(ctx context.Context, yield func(Event, error) bool) (heard bool, err error) {
	if s.last != "" {
		s.params.LastEventID = Ptr(s.last)
	}
	response, err := s.client.Raw.StreamEvents(withIdle(ctx, streamIdle), &s.params)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	s.opened = true
	reader := bufio.NewReader(response.Body)
	var data bytes.Buffer
	id := s.last
	for {
		line, err := readLine(reader)
		if err != nil {
			return heard, err // an event without the empty line behind it is not whole
		}
		heard = true
		if len(line) > 0 {
			if s.field(line, &id, &data); data.Len() > maxEventOctets {
				return heard, errLong
			}
			continue
		}
		if data.Len() > 0 {
			event, err := eventOf(id, bytes.Clone(bytes.TrimSuffix(data.Bytes(), []byte("\n"))))
			if err != nil {
				return heard, err
			}
			if !yield(event, nil) {
				return heard, errStopped
			}
			data.Reset()
		}
		s.last = id // what stands before it has been taken
	}
}

// field is a line of an event stream (HTML Standard, 9.2.6). The type is in the data, too.
func (s *stream) field(line []byte, id *string, data *bytes.Buffer) {
	name, value, _ := strings.Cut(string(line), ":")
	value = strings.TrimPrefix(value, " ")
	switch name {
	case "id":
		if !strings.Contains(value, "\x00") {
			*id = value
		}
	case "data":
		data.WriteString(value)
		data.WriteByte('\n')
	case "retry":
		if wait, err := time.ParseDuration(value + "ms"); err == nil && wait >= 0 {
			s.wait = min(wait, lastWait)
		}
	}
}

const maxEventOctets = 8 << 20

var errLong = fmt.Errorf("%w: it is longer than %d octets", ErrEvent, maxEventOctets)

func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxEventOctets {
			return nil, errLong
		}
		if err == nil {
			return bytes.TrimRight(line, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) && len(line) > 0 {
				return nil, io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

// pause is short where the stream had just ended as it should.
func (s *stream) pause(broken int, err error) time.Duration {
	if problem, ok := AsProblem(err); ok && problem.RetryAfter > 0 {
		return problem.RetryAfter
	}
	return s.wait/2 + backoff(max(broken, 1))
}

func isTemporary(status int) bool {
	return status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}
