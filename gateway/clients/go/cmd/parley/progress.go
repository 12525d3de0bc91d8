package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// bar is a line on the terminal that tells how far something is. Where there is no terminal it is silent.
type bar struct {
	t     *tool
	label string
	mutex sync.Mutex // a request's body is read by another goroutine
	drawn time.Time
	n     int64
	total int64
	shown bool
}

func (t *tool) progress(label string) *bar { return &bar{t: t, label: label} }

const barWidth = 30

func (b *bar) set(part float64, note string) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.draw(part, note)
}

func (b *bar) draw(part float64, note string) {
	if !b.t.live || (time.Since(b.drawn) < 100*time.Millisecond && part < 1) {
		return
	}
	b.drawn, b.shown = time.Now(), true
	if part < 0 {
		fmt.Fprintf(b.t.err, "\r\x1b[K%s %s", b.label, note)
		return
	}
	full := int(min(part, 1) * barWidth)
	fmt.Fprintf(b.t.err, "\r\x1b[K%-10s [%s%s] %3.0f %% %s", b.label, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), min(part, 1)*100, note)
}

// end clears the line.
func (b *bar) end() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.shown {
		fmt.Fprint(b.t.err, "\r\x1b[K")
	}
}

func (b *bar) count(n int) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.n += int64(n)
	if b.total > 0 {
		b.draw(float64(b.n)/float64(b.total), octets(b.n))
	} else {
		b.draw(-1, octets(b.n))
	}
}

type counted struct {
	io.Reader
	bar *bar
}

func (c counted) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	c.bar.count(n)
	return n, err
}

func (b *bar) reader(from io.Reader) io.Reader { return counted{from, b} }

// file is one whose reading is shown, and which can still be sent again.
func (b *bar) file(file *os.File) io.Reader {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return b.reader(file)
	}
	b.total = info.Size()
	return countedFile{file, b}
}

type countedFile struct {
	*os.File
	bar *bar
}

func (c countedFile) ReadAt(into []byte, offset int64) (int, error) {
	n, err := c.File.ReadAt(into, offset)
	c.bar.mutex.Lock()
	c.bar.n = offset // what is sent again is counted again
	c.bar.mutex.Unlock()
	c.bar.count(n)
	return n, err
}

func octets(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
