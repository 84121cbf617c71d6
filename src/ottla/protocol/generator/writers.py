"""Source of the functions that turn messages into bytes; the mirror of `readers`."""

from ottla.protocol.generator.classes import Classes
from ottla.protocol.generator.schema import NUMBERS
from ottla.protocol.generator.shapes import Shape, Shapes, Slot
from ottla.protocol.generator.source import Formats, Source


class Writers:
    def __init__(self, shapes: Shapes, classes: Classes, formats: Formats, source: Source, is_hot: bool) -> None:
        self._shapes = shapes
        self._classes = classes
        self._formats = formats
        self._source = source
        self._is_hot = is_hot
        self._run: list[tuple[str, str]] = []
        self._wanted: list[Shape] = []
        self._done: set[Shape] = set()
        self._scope = 0
        self._out = "out"

    def write(self) -> list[str]:
        """Writes all functions and returns the name of the one for each version, in order."""
        self._wanted = list(dict.fromkeys(self._shapes.by_version.values()))
        for shape in self._wanted:  # grows while it is walked
            if shape not in self._done:
                self._done.add(shape)
                self._function(shape)
        return [self._name(shape) for shape in self._shapes.by_version.values()]

    def _name(self, shape: Shape) -> str:
        is_message = shape.class_name == self._shapes.schema.class_name
        return f"_write_{'' if is_message else shape.class_name + '_'}{shape.first_version}"

    def _function(self, shape: Shape) -> None:
        self._source.line()
        self._source.line()
        self._scope = 0
        with self._source.block(f"def {self._name(shape)}(m: Any, out: bytearray) -> None:"):
            before = len(self._source.lines)
            self._struct(shape, "m")
            self._flush()
            if len(self._source.lines) == before:
                self._source.line("pass")

    # Structs

    def _struct(self, shape: Shape, value: str) -> None:
        for slot in shape.plain:
            self._slot(slot, f"{value}.{slot.name}")
        if not shape.is_flexible:
            return
        if shape.tagged:
            self._tags(shape, value)
        else:
            self._run.append(("x", ""))

    def _inner(self, shape: Shape, value: str) -> None:
        if self._is_hot or shape.is_one_run or self._shapes.use_counts[shape] == 1:
            self._struct(shape, value)
            return
        self._flush()
        self._wanted.append(shape)
        self._source.line(f"{self._name(shape)}({value}, {self._out})")

    def _tags(self, shape: Shape, value: str) -> None:
        source = self._source
        self._flush()
        if len(shape.tagged) == 1 and shape.tagged[0].fixed:
            self._only_tag(shape, shape.tagged[0], value)
            return
        self._scope += 1
        tags, outer_out = f"tags_{self._scope}", self._out
        source.line(f"{tags}: list[tuple[int, bytes | bytearray]] = []")
        for slot in shape.tagged:
            field = f"{value}.{slot.name}"
            with source.block(f"if {self._is_set(shape.class_name, slot, field)}:"):
                if slot.fixed:
                    source.line(f"{tags}.append(({slot.tag}, {self._formats.pack(slot.fixed[0])}({field})))")
                    continue
                self._out = f"{tags}_out"
                source.line(f"{self._out} = bytearray()")
                self._slot(slot, field)
                self._flush()
                source.line(f"{tags}.append(({slot.tag}, {self._out}))")
                self._out = outer_out
        with source.block(f"if {tags}:"):
            source.line(f"put_tags({self._out}, {tags})")
        with source.block("else:"):
            source.line(f"{self._out}.append(0)")

    def _only_tag(self, shape: Shape, slot: Slot, value: str) -> None:
        """One field of a known size, as in each offset commit: how many there are, its tag and its size are known."""
        assert slot.fixed is not None
        code, size = slot.fixed
        field = f"{value}.{slot.name}"
        with self._source.block(f"if {self._is_set(shape.class_name, slot, field)}:"):
            self._source.line(f"{self._out} += {self._formats.pack('BBB' + code)}(1, {slot.tag}, {size}, {field})")
        with self._source.block("else:"):
            self._source.line(f"{self._out}.append(0)")

    def _is_set(self, class_name: str, slot: Slot, value: str) -> str:
        if slot.default is None:
            return f"{value} is not None"
        if slot.is_array:
            return f"{value} is None or len({value})" if slot.is_nullable else value
        field = next(field for field in self._classes.fields[class_name] if field.name == slot.name)
        default = self._classes.default(class_name, field)
        if default.startswith("_NO_"):
            return f"{value} is not {default} and {value} != {default}"
        return f"{value} != {default}"

    # Fields

    def _slot(self, slot: Slot, value: str) -> None:
        if slot.fixed:
            self._run.append((slot.fixed[0], value))
        elif slot.is_array:
            self._array(slot, value)
        elif slot.kind == "struct":
            self._struct_field(slot, value)
        elif slot.kind == "records":
            self._flush()
            self._source.line(f"put_{'compact_' if slot.is_compact else ''}records({self._out}, {value})")
        elif slot.is_compact:
            self._compact(slot, value)
        else:
            self._text_or_bytes(slot, value)

    def _flush(self) -> None:
        if not self._run:
            return
        codes = "".join(code for code, _ in self._run)
        values = [value for _, value in self._run if value]
        self._run.clear()
        if not codes.strip("x"):
            zeros = "\\0" * len(codes)
            self._source.line(f"{self._out}.append(0)" if len(codes) == 1 else f'{self._out} += b"{zeros}"')
        else:
            self._source.line(f"{self._out} += {self._formats.pack(codes)}({', '.join(values)})")

    def _text_or_bytes(self, slot: Slot, value: str) -> None:
        source = self._source
        raw = f"{value}.encode()" if slot.kind == "string" else value
        length = "len(b)"
        if slot.is_nullable:
            length = "n"
            with source.block(f"if {value} is None:"):
                source.line('n, b = -1, b""')
            with source.block("else:"):
                source.line(f"b = {raw}")
                source.line("n = len(b)")
        else:
            source.line(f"b = {raw}")
        self._run.append(("h" if slot.kind == "string" else "i", length))
        self._flush()
        source.line(f"{self._out} += b")

    def _compact(self, slot: Slot, value: str) -> None:
        self._flush()
        if not slot.is_nullable:
            self._compact_value(slot, value)
            return
        with self._source.block(f"if {value} is None:"):
            self._source.line(f"{self._out}.append(0)")
        with self._source.block("else:"):
            self._compact_value(slot, value)

    def _compact_value(self, slot: Slot, value: str) -> None:
        is_string = slot.kind == "string"
        self._source.line(f"b = {value}.encode()" if is_string else f"b = {value}")
        self._source.line("n = len(b) + 1")
        self._compact_length("put_string_length" if is_string else "put_uvarint")
        self._source.line(f"{self._out} += b")

    def _compact_length(self, otherwise: str) -> None:
        with self._source.block("if n < 128:"):
            self._source.line(f"{self._out}.append(n)")
        with self._source.block("else:"):
            self._source.line(f"{otherwise}({self._out}, n)")

    def _struct_field(self, slot: Slot, value: str) -> None:
        if not slot.is_nullable:
            self._inner(slot.inner, value)
            return
        self._flush()
        with self._source.block(f"if {value} is None:"):
            # Kafka writes null as -1, but in a tagged field as 0.
            self._source.line(f"{self._out}.append({0 if slot.tag is not None else 255})")
        with self._source.block("else:"):
            self._source.line(f"{self._out}.append(1)")
            self._inner(slot.inner, value)
            self._flush()

    def _array(self, slot: Slot, value: str) -> None:
        source = self._source
        self._scope += 1
        items, element = f"items_{self._scope}", f"e_{self._scope}"
        source.line(f"{items} = {value}")
        if slot.is_compact:
            self._flush()
            source.line(
                f"n = 0 if {items} is None else len({items}) + 1" if slot.is_nullable else f"n = len({items}) + 1"
            )
            self._compact_length("put_uvarint")
        else:
            self._run.append(("i", f"-1 if {items} is None else len({items})" if slot.is_nullable else f"len({items})"))
            self._flush()
        if slot.kind in NUMBERS or slot.kind == "uuid":
            self._numbers(slot, items)
            return
        with source.block(f"for {element} in {items} or ():" if slot.is_nullable else f"for {element} in {items}:"):
            self._slot_or_inner(slot, element)
            self._flush()

    def _numbers(self, slot: Slot, items: str) -> None:
        with self._source.block(f"if {items}:"):
            if slot.kind == "uuid":
                self._source.line(f"put_uuids({self._out}, {items})")
            else:
                self._source.line(f'put_numbers({self._out}, "{NUMBERS[slot.kind][0]}", {items})')

    def _slot_or_inner(self, slot: Slot, element: str) -> None:
        if slot.kind == "struct":
            self._inner(slot.inner, element)
        else:
            self._slot(slot._replace(is_array=False, is_nullable=False, tag=None), element)
