package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// output is standard output.
type output struct {
	*bufio.Writer
	width int // of the terminal; 0: it is none
}

func newOutput(file *os.File) *output {
	out := &output{Writer: bufio.NewWriter(file)}
	if term.IsTerminal(int(file.Fd())) {
		out.width = 80
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			out.width = width
		}
	}
	return out
}

func (o *output) close() error { return o.Flush() }

// clean is text of others without what a terminal would obey.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, text)
}

// table prints rows as they come. The first rows, which are kept until there are enough, decide how wide a column is.
type table struct {
	out    *output
	head   []string
	rows   [][]string
	widths []int
}

const firstRows = 100

func (t *table) add(row []string) {
	for i := range row {
		row[i] = clean(row[i])
	}
	if t.widths != nil {
		t.print(row)
		return
	}
	if t.rows = append(t.rows, row); len(t.rows) == firstRows {
		t.begin()
	}
}

func (t *table) begin() {
	t.widths = make([]int, len(t.head))
	all := append([][]string{t.head}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			t.widths[i] = max(t.widths[i], columns(cell))
		}
	}
	for _, row := range all {
		t.print(row)
	}
}

func (t *table) print(row []string) {
	var line strings.Builder
	for i, cell := range row {
		line.WriteString(cell)
		if i < len(row)-1 {
			line.WriteString(strings.Repeat(" ", max(t.widths[i]-columns(cell), 0)+2))
		}
	}
	text := strings.TrimRight(line.String(), " ")
	fmt.Fprintln(t.out, fit(text, t.out.width))
}

// wide are the ranges of most characters that take two columns (Unicode, East Asian Width).
var wide = [][2]rune{{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60},
	{0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}}

func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	for _, span := range wide {
		if r >= span[0] && r <= span[1] {
			return 2
		}
	}
	return 1
}

func columns(text string) int {
	total := 0
	for _, r := range text {
		total += columnsOf(r)
	}
	return total
}

// fit cuts a line to the terminal's width; 0: there is none.
func fit(text string, width int) string {
	if width == 0 || columns(text) <= width {
		return text
	}
	total := 0
	for i, r := range text {
		if total += columnsOf(r); total >= width {
			return text[:i] + "…"
		}
	}
	return text
}

// end prints what was kept.
func (t *table) end() {
	if t.widths == nil && len(t.rows) > 0 {
		t.begin()
	}
}

// object prints one: as JSON in a line, or for people.
func (t *tool) object(raw json.RawMessage) error {
	if t.json {
		return t.line(raw)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return describe(t.out, decoder, 0)
}

func (t *tool) line(raw json.RawMessage) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.out, "%s\n", compact.Bytes())
	return err
}

// describe prints the next value of the JSON, an object or an array, with its fields in their order, one a line.
func describe(out io.Writer, decoder *json.Decoder, depth int) error {
	open, err := decoder.Token()
	if err != nil {
		return err
	}
	delimiter, ok := open.(json.Delim)
	if !ok {
		_, err := fmt.Fprintf(out, "%v\n", plain(open))
		return err
	}
	indent := strings.Repeat("  ", depth)
	for decoder.More() {
		label := "-"
		if delimiter == '{' {
			name, err := decoder.Token()
			if err != nil {
				return err
			}
			label = clean(fmt.Sprint(name)) + ":"
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		if err := describeField(out, indent, label, value, depth); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

func describeField(out io.Writer, indent, label string, value json.RawMessage, depth int) error {
	inner := json.NewDecoder(bytes.NewReader(value))
	inner.UseNumber()
	first := value[0]
	if (first != '{' && first != '[') || len(value) == 2 { // a scalar, or empty
		token := any("")
		if first != '{' && first != '[' {
			var err error
			if token, err = inner.Token(); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(out, strings.TrimRight(indent+label+" "+plain(token), " "))
		return err
	}
	if list := labels(value); list != "" {
		_, err := fmt.Fprintf(out, "%s%s %s\n", indent, label, list)
		return err
	}
	fmt.Fprintf(out, "%s%s\n", indent, label)
	return describe(out, inner, depth+1)
}

func plain(token json.Token) string {
	if token == nil {
		return ""
	}
	return clean(fmt.Sprint(token))
}

// labels is an array of texts, or of tags and the like, in a line.
func labels(value json.RawMessage) string {
	var texts []string
	if json.Unmarshal(value, &texts) == nil {
		return clean(strings.Join(texts, ", "))
	}
	texts = nil
	var named []struct {
		Label string `json:"label"`
	}
	if json.Unmarshal(value, &named) != nil || len(named) == 0 {
		return ""
	}
	for _, one := range named {
		if one.Label == "" {
			return ""
		}
		texts = append(texts, one.Label)
	}
	return clean(strings.Join(texts, ", "))
}
