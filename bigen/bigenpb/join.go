package bigenpb

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// message joins and splits the messages of a type.
type message struct {
	typ   protoreflect.MessageType
	parts []part
	empty bool // for an Any, if nothing says what it may hold
}

// part is a field, or several fields that exclude each other.
type part struct {
	field    protoreflect.FieldDescriptor
	required bool
	oneof    *oneof
}

func (m *message) join(parts []any) any {
	r := m.typ.New()
	for i, p := range m.parts {
		v := parts[i]
		switch {
		case v == nil:
		case p.oneof != nil:
			c := v.(choice)
			for i, f := range c.fields {
				set(r, f, c.values[i])
			}
		default:
			set(r, p.field, v)
		}
	}
	return r
}

func set(r protoreflect.Message, f protoreflect.FieldDescriptor, v any) {
	switch v := v.(type) {
	case []any:
		if len(v) > 0 {
			list := r.NewField(f).List()
			for _, elem := range v {
				list.Append(protoreflect.ValueOf(elem))
			}
			r.Set(f, protoreflect.ValueOfList(list))
		}
	case map[any]any:
		if len(v) > 0 {
			entries := r.NewField(f).Map()
			for k, elem := range v {
				entries.Set(protoreflect.ValueOf(k).MapKey(), protoreflect.ValueOf(elem))
			}
			r.Set(f, protoreflect.ValueOfMap(entries))
		}
	default:
		r.Set(f, protoreflect.ValueOf(v))
	}
}

func (m *message) split(v any) ([]any, error) {
	r, ok := v.(protoreflect.Message)
	if !ok || r.Descriptor() != m.typ.Descriptor() {
		return nil, fmt.Errorf("it is not a %s", m.typ.Descriptor().FullName())
	}
	if err := m.accept(r); err != nil {
		return nil, err
	}
	parts := make([]any, len(m.parts))
	for i, p := range m.parts {
		switch f := p.field; {
		case f == nil:
			chosen, err := p.oneof.chosen(r)
			if err != nil {
				return nil, err
			}
			parts[i] = chosen
		case p.required && !r.Has(f):
			return nil, fmt.Errorf("the required field %s is not set", f.Name())
		case !f.HasPresence() || r.Has(f):
			parts[i] = get(r, f)
		}
	}
	return parts, nil
}

// accept reports what a message has that the generator does not make.
func (m *message) accept(r protoreflect.Message) (err error) {
	switch {
	case !r.IsValid():
		return fmt.Errorf("it is a nil message: leave the field out, or make it empty")
	case len(r.GetUnknown()) > 0:
		return fmt.Errorf("it has unknown fields, which the generator does not set: %q", r.GetUnknown())
	}
	r.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		switch {
		case f.IsExtension():
			err = fmt.Errorf("it has the extension %s: the generator sets no extensions", f.FullName())
		case m.empty:
			err = fmt.Errorf("the %s is not empty: list what it may hold by bigenpb.AnyOf",
				m.typ.Descriptor().FullName())
		}
		return err == nil
	})
	return err
}

func get(r protoreflect.Message, f protoreflect.FieldDescriptor) any {
	v := r.Get(f)
	switch {
	case f.IsList():
		list := v.List()
		parts := make([]any, list.Len())
		for i := range parts {
			parts[i] = list.Get(i).Interface()
		}
		return parts
	case f.IsMap():
		parts := map[any]any{}
		v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
			parts[k.Interface()] = v.Interface()
			return true
		})
		return parts
	}
	return v.Interface()
}
