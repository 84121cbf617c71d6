"""Source of the functions that turn bytes into messages.

Neighbouring fields of fixed size, and the length or first length byte of what follows them, become one `unpack_from`.
A struct is read inline where that repeats no code, or where the message is on the hot path; else by a function.
"""

from ottla.protocol.generator.classes import Classes
from ottla.protocol.generator.schema import NUMBERS, Field
from ottla.protocol.generator.shapes import Shape, Shapes, Slot
from ottla.protocol.generator.source import Formats, Source

_SIGNATURE = "(data: memoryview, p: int, end: int, left: list[int])"
_TAKE = {"string": "data[p:q].tobytes().decode()", "bytes": "data[p:q].tobytes()", "records": "data[p:q]"}


class Readers:
    def __init__(self, shapes: Shapes, classes: Classes, formats: Formats, source: Source, is_hot: bool) -> None:
        self._shapes = shapes
        self._classes = classes
        self._formats = formats
        self._source = source
        self._is_hot = is_hot
        self._run: list[tuple[str, int, str]] = []
        self._wanted: list[Shape] = []
        self._done: set[Shape] = set()
        self._scope = 0
        self._end = "end"

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
        return f"_read_{'' if is_message else shape.class_name + '_'}{shape.first_version}"

    def _function(self, shape: Shape) -> None:
        source = self._source
        source.line()
        source.line()
        self._scope = 0
        with source.block(f"def {self._name(shape)}{_SIGNATURE} -> tuple[{shape.class_name}, int]:"):
            value = self._struct(shape)
            self._flush()
            source.line(f"return {value}, p")

    # Structs

    def _struct(self, shape: Shape) -> str:
        """Reads all fields; returns the expression that makes the struct."""
        scope = self._scope = self._scope + 1
        values = {slot.name: self._slot(slot, f"{slot.name}_{scope}", shape.class_name) for slot in shape.plain}
        if shape.is_flexible:
            self._tags(shape, scope, values)
        return self._construct(shape.class_name, scope, values)

    def _construct(self, class_name: str, scope: int, values: dict[str, str]) -> str:
        fields = self._classes.fields[class_name]
        if self._is_hot:
            return self._construct_by_assignment(class_name, fields, f"o_{scope}", values)
        while fields and fields[-1].name not in values:
            fields = fields[:-1]
        arguments = [values.get(field.name) or self._classes.default(class_name, field) for field in fields]
        return f"{class_name}({', '.join(arguments)})"

    def _construct_by_assignment(
        self, class_name: str, fields: tuple[Field, ...], local: str, values: dict[str, str]
    ) -> str:
        """Half the time of a constructor call."""
        self._flush()
        self._source.line(f"{local} = _new({class_name})")
        for field in fields:
            value = values.get(field.name) or self._classes.default(class_name, field)
            self._source.line(f"{local}.{field.name} = {value}")
        return local

    def _is_inline(self, shape: Shape) -> bool:
        return self._is_hot or shape.is_one_run or self._shapes.use_counts[shape] == 1

    def _inner(self, shape: Shape) -> str:
        """A struct inside another one."""
        if self._is_inline(shape):
            return self._struct(shape)
        self._flush()
        self._wanted.append(shape)
        self._scope += 1
        local = f"s_{self._scope}"
        self._source.line(f"{local}, p = {self._name(shape)}(data, p, {self._end}, left)")
        return local

    def _tags(self, shape: Shape, scope: int, values: dict[str, str]) -> None:
        source = self._source
        self._fixed("B", 1, "n")
        self._flush()
        if not shape.tagged:
            with source.block("if n:"):
                source.line(f"p = skip_tags(data, p - 1, {self._end})")
            return
        fields = {field.name: field for field in self._classes.fields[shape.class_name]}
        for slot in shape.tagged:
            values[slot.name] = f"{slot.name}_{scope}"
            source.line(f"{slot.name}_{scope}: Any = {self._classes.default(shape.class_name, fields[slot.name])}")
        with source.block("if n:"):
            source.line(f"spans_{scope}, after_{scope} = read_tags(data, p - 1, {self._end})")
            with source.block(f"for tag_{scope}, p, stop_{scope} in spans_{scope}:"):
                self._known_tags(shape, scope)
            source.line(f"p = after_{scope}")

    def _known_tags(self, shape: Shape, scope: int) -> None:
        source = self._source
        outer_end, self._end = self._end, f"stop_{scope}"
        word = "if"
        for slot in shape.tagged:
            with source.block(f"{word} tag_{scope} == {slot.tag}:"):
                local = f"{slot.name}_{scope}"
                value = self._slot(slot, f"{local}_tagged", shape.class_name)
                self._flush()
                source.line(f"{local} = {value}")
            word = "elif"
        with source.block("else:"):
            source.line("continue")
        with source.block(f"if p != stop_{scope}:"):
            source.line(f"raise wrong_tag_size(tag_{scope}, p, stop_{scope})")
        self._end = outer_end

    # Fields

    def _slot(self, slot: Slot, local: str, class_name: str) -> str:
        """Reads one field; returns the expression of its value."""
        if slot.fixed:
            self._fixed(*slot.fixed, local)
        elif slot.is_array:
            self._array(slot, local, class_name)
        elif slot.kind == "struct":
            return self._struct_field(slot, local, class_name)
        else:
            self._text_or_bytes(slot, local)
        return local

    def _fixed(self, code: str, size: int, local: str) -> None:
        self._run.append((code, size, local))

    def _flush(self) -> None:
        if not self._run:
            return
        codes = "".join(code for code, _, _ in self._run)
        locals_ = ", ".join(local for _, _, local in self._run)
        if codes == "B":
            self._source.line(f"{locals_} = data[p]")
        else:
            left_side = locals_ if len(self._run) > 1 else f"({locals_},)"
            self._source.line(f"{left_side} = {self._formats.unpack(codes)}(data, p)")
        self._source.line(f"p += {sum(size for _, size, _ in self._run)}")
        self._run.clear()

    def _length(self, slot: Slot, code: str, longer: str) -> None:
        """Reads a length or count into n; null is -1."""
        if not slot.is_compact:
            self._fixed(code, 2 if code == "h" else 4, "n")
            self._flush()
            return
        self._fixed("B", 1, "n")
        self._flush()
        with self._source.block("if n > 127:"):
            self._source.line(f"n, p = {longer}(data, p, n)")
        self._source.line("n -= 1")

    def _text_or_bytes(self, slot: Slot, local: str) -> None:
        is_string = slot.kind == "string"
        self._length(slot, "h" if is_string else "i", "longer_string" if is_string else "longer")
        if not slot.is_nullable:
            self._take(slot, local)
            return
        with self._source.block("if n == -1:"):
            self._source.line(f"{local} = None")
        with self._source.block("else:"):
            self._take(slot, local)

    def _take(self, slot: Slot, local: str) -> None:
        source = self._source
        source.line("q = p + n")
        with source.block(f"if n < 0 or q > {self._end}:"):
            source.line(f'raise wrong_length("{slot.name}", n, {self._end} - p)')
        source.line(f"{local} = {_TAKE[slot.kind]}")
        source.line("p = q")

    def _struct_field(self, slot: Slot, local: str, class_name: str) -> str:
        if not slot.is_nullable:
            return self._inner(slot.inner)
        self._fixed("b", 1, "n")
        self._flush()
        self._source.line(f"{local}: {slot.inner.class_name} | None = None")
        # Kafka writes null as -1, but in a tagged field as 0.
        with self._source.block("if n > 0:" if slot.tag is not None else "if n >= 0:"):
            value = self._inner(slot.inner)
            self._flush()
            self._source.line(f"{local} = {value}")
        return local

    def _array(self, slot: Slot, local: str, class_name: str) -> None:
        source = self._source
        self._length(slot, "i", "longer")
        field = next(field for field in self._classes.fields[class_name] if field.name == slot.name)
        hint = self._classes.hint(class_name, field)
        if not slot.is_nullable:
            self._elements(slot, local, hint.removesuffix(" | None"))
            return
        source.line(f"{local}: {hint} = None")
        with source.block("if n != -1:"):
            self._elements(slot, local, "")

    def _elements(self, slot: Slot, local: str, hint: str) -> None:
        source = self._source
        size = slot.element_size
        least = "n" if size == 1 else f"n * {size}"
        with source.block(f"if n < 0 or {least} > {self._end} - p or n > left[0]:"):
            source.line(f'raise wrong_count("{slot.name}", n, {self._end} - p, left)')
        source.line("left[0] -= n")
        if slot.kind in NUMBERS:
            code, size = NUMBERS[slot.kind]
            source.line(f'{local}, p = read_numbers("{code}", {size}, data, p, n)')
            return
        if slot.kind == "uuid":
            source.line(f"{local}, p = read_uuids(data, p, n)")
            return
        source.line(f"{local}{': ' + hint if hint else ''} = []")
        times = "_ONCE if n == 1 else range(n)" if self._is_hot else "range(n)"
        with source.block(f"for _ in {times}:"):
            element = slot._replace(is_array=False, is_nullable=False, tag=None)
            value = self._slot(element, f"{local}_element", "")
            self._flush()
            source.line(f"{local}.append({value})")
