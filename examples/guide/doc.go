// Package guide holds code that the chapters of docs quote. All of it is tests.
package guide
