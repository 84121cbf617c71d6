"""The classes: slots, constructor, defaults."""

from ottla.protocol.generator.naming import snake
from ottla.protocol.generator.schema import NEVER, Field, Schema
from ottla.protocol.generator.source import Source

_HINTS = {"bool": "bool", "float64": "float", "string": "str", "bytes": "bytes", "uuid": "bytes", "records": "Records"}


class Classes:
    """The classes of one message. Structs come before what holds them: defaults may refer to them."""

    def __init__(self, schema: Schema, names: dict[tuple[str, ...], str]) -> None:
        self.schema = schema
        self._names = names
        self.fields: dict[str, tuple[Field, ...]] = {}
        self.struct_names: dict[tuple[str, str], str] = {}
        self._shared: dict[str, str] = {}
        self._collect(schema.class_name, schema.fields, ())

    def _collect(self, class_name: str, fields: tuple[Field, ...], path: tuple[str, ...]) -> None:
        for field in fields:
            if field.holds_structs:
                below = (*path, field.name)
                self.struct_names[class_name, field.name] = self._names[below]
                self._collect(self._names[below], field.fields, below)
                if field.tag is not None and not field.is_array and not _holds_lists(field):
                    self._shared[self._names[below]] = f"_NO_{snake(self._names[below]).upper()}"
        self.fields[class_name] = fields

    def default(self, class_name: str, field: Field) -> str:
        """An expression for the default value, for use inside functions."""
        if field.is_array:
            return "None" if field.default is None else "[]"
        if field.kind == "struct":
            struct_name = self.struct_names[class_name, field.name]
            return "None" if field.default is None else self._shared.get(struct_name, f"{struct_name}()")
        return "NO_UUID" if field.kind == "uuid" else repr(field.default)

    def write(self, source: Source) -> None:
        for class_name, fields in self.fields.items():
            source.line()
            source.line()
            is_message = class_name == self.schema.class_name
            with source.block(f"class {class_name}({'Message' if is_message else 'Struct'}):"):
                slots = ", ".join(f'"{field.name}"' for field in fields)
                source.line(f"__slots__ = ({slots}{',' if len(fields) == 1 else ''})")
                if is_message:
                    self._write_facts(source)
                if fields:
                    self._write_constructor(source, class_name, fields)
            if class_name in self._shared:
                source.line()
                source.line()
                source.line(f"{self._shared[class_name]} = shared_default({class_name})")

    def _write_facts(self, source: Source) -> None:
        schema = self.schema
        if schema.key is not None:
            source.line(f"{'RECORD_TYPE' if schema.kind == 'record' else 'API_KEY'} = {schema.key}")
        source.line(f"MIN_VERSION = {schema.versions.first}")
        source.line(f"MAX_VERSION = {schema.versions.last}")
        source.line(f"FLEXIBLE_FROM = {'NEVER_FLEXIBLE' if schema.flexible_from == NEVER else schema.flexible_from}")

    def _write_constructor(self, source: Source, class_name: str, fields: tuple[Field, ...]) -> None:
        source.line()
        with source.block("def __init__("):
            source.line("self,")
            for field in fields:
                source.line(f"{field.name}: {self.hint(class_name, field)} = {self._parameter(class_name, field)},")
        with source.block(") -> None:"):
            for field in fields:
                value = field.name
                if self._parameter(class_name, field) == "FRESH":
                    value = f"{self.default(class_name, field)} if {field.name} is FRESH else {field.name}"
                source.line(f"self.{field.name} = {value}")

    def _parameter(self, class_name: str, field: Field) -> str:
        default = self.default(class_name, field)
        return "FRESH" if default == "[]" or default.endswith("()") else default

    def hint(self, class_name: str, field: Field) -> str:
        inner = _HINTS.get(field.kind, "int")
        if field.kind == "struct":
            inner = self.struct_names[class_name, field.name]
        if field.is_array:
            inner = f"list[{inner}]"
        may_be_null = field.nullable.first <= field.nullable.last or field.default is None
        return f"{inner} | None" if may_be_null and field.kind != "records" else inner


def _holds_lists(field: Field) -> bool:
    return any(inner.is_array or inner.kind == "struct" for inner in field.fields)
