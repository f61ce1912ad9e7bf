"""The places of the headers that can be mutated, found in clang's tree, and the text to put there."""
import clang.cindex as cindex
from clang.cindex import CursorKind as K

INFIX = {
    "<": ("lt", ["<=", ">="]), "<=": ("le", ["<", ">"]), ">": ("gt", [">=", "<="]), ">=": ("ge", [">", "<"]),
    "==": ("eq", ["!="]), "!=": ("ne", ["=="]),
    "+": ("plus", ["-"]), "-": ("minus", ["+"]), "*": ("times", ["+"]), "/": ("over", ["*"]), "%": ("modulo", ["/"]),
    "<<": ("left", [">>"]), ">>": ("right", ["<<"]), "&": ("bit_and", ["|"]), "|": ("bit_or", ["&"]), "^": ("bit_xor", ["|"]),
    "+=": ("plus_to", ["-="]), "-=": ("minus_to", ["+="]), "*=": ("times_to", ["+="]), "/=": ("over_to", ["*="]),
    "<<=": ("left_to", [">>="]), ">>=": ("right_to", ["<<="]), "&=": ("and_to", ["|="]), "|=": ("or_to", ["&="]),
    "^=": ("xor_to", ["|="]),
}
LAZY = {"&&": "||", "||": "&&"}
FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.FUNCTION_TEMPLATE, K.CONVERSION_FUNCTION, K.CONSTRUCTOR, K.DESTRUCTOR}
# What only the compiler evaluates.
CONSTANT = {K.STATIC_ASSERT, K.CONCEPT_DECL, K.CONCEPT_SPECIALIZATION_EXPR, K.REQUIRES_EXPR, K.TEMPLATE_NON_TYPE_PARAMETER,
            K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_TEMPLATE_PARAMETER, K.ENUM_DECL, K.TYPE_ALIAS_DECL, K.TYPE_ALIAS_TEMPLATE_DECL,
            K.CXX_UNARY_EXPR}
NS = "::hashring_mutants::"


class Site:
    """One place: what to insert where, and its mutants in words."""

    def __init__(self, path, line, edits, mutants):
        self.path, self.line, self.edits, self.mutants = path, line, edits, mutants


class Finder:
    def __init__(self, path, text):
        self.path, self.text, self.sites = path, text, []

    def add(self, cursor, edits, mutants):
        self.sites.append(Site(self.path, cursor.extent.start.line, edits, mutants))

    def source(self, cursor):
        return self.text[cursor.extent.start.offset:cursor.extent.end.offset]

    def here(self, cursor):
        start, end = cursor.extent.start, cursor.extent.end
        return start.file is not None and start.file.name == self.path and start.offset < end.offset

    # --- walking ------------------------------------------------------------------------------

    def walk(self, cursor):
        kind = cursor.kind
        if kind in CONSTANT or self.is_constexpr_variable(cursor):
            return
        if kind in FUNCTIONS:
            self.function(cursor)
            return
        if self.here(cursor):
            self.mutate(cursor)
        for child in self.evaluated(cursor):
            self.walk(child)

    def is_constexpr_variable(self, cursor):
        if cursor.kind not in (K.VAR_DECL, K.FIELD_DECL) or not self.here(cursor):
            return False
        head = self.source(cursor).split("=")[0].split("{")[0].split()
        return "constexpr" in head or (cursor.kind == K.VAR_DECL and "static" in head)

    def function(self, cursor):
        """Bodies and the initialisers of members, nothing of the declaration."""
        if self.here(cursor) and self.source(cursor).rstrip(";").rstrip().endswith(("default", "defaul", "delete")):
            return
        after_member = False
        for child in cursor.get_children():
            if child.kind == K.COMPOUND_STMT or child.kind == K.CXX_TRY_STMT:
                self.walk(child)
            elif child.kind == K.MEMBER_REF:
                after_member = True
            elif after_member and child.kind.is_expression():
                self.walk(child)

    def evaluated(self, cursor):
        children = list(cursor.get_children())
        if cursor.kind == K.CASE_STMT:
            return children[1:]
        if cursor.kind == K.IF_STMT and self.text[cursor.extent.start.offset:].startswith("if constexpr"):
            return [c for c in children if c.kind.is_statement()]
        if cursor.kind in (K.DECL_REF_EXPR, K.TYPE_REF, K.TEMPLATE_REF):
            return []  # arguments of templates
        if cursor.kind in (K.VAR_DECL, K.FIELD_DECL, K.CXX_FUNCTIONAL_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.CALL_EXPR):
            return [c for c in children if c.kind not in (K.TYPE_REF, K.TEMPLATE_REF, K.NAMESPACE_REF)]
        return children

    # --- mutating -----------------------------------------------------------------------------

    def mutate(self, cursor):
        kind = cursor.kind
        if kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR, K.CALL_EXPR, K.UNEXPOSED_EXPR):
            self.infix(cursor)
        if kind == K.INTEGER_LITERAL:
            self.literal(cursor)
        elif kind == K.CXX_BOOL_LITERAL_EXPR:
            word = self.source(cursor)
            self.wrap(cursor, "flip", [f"{word} -> {'false' if word == 'true' else 'true'}"])
        elif kind == K.UNARY_OPERATOR:
            self.unary(cursor)
        elif kind in (K.IF_STMT, K.WHILE_STMT, K.DO_STMT, K.CONDITIONAL_OPERATOR):
            self.condition(cursor)
        elif kind == K.COMPOUND_STMT:
            for child in cursor.get_children():
                self.statement(child)
        elif kind == K.ARRAY_SUBSCRIPT_EXPR:
            self.subscript(cursor, list(cursor.get_children()))
        if kind == K.CALL_EXPR:
            self.swapped(cursor)

    def wrap(self, cursor, function, mutants):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        self.add(cursor, [(start, start, f"{NS}{function}(@0, "), (end, end, ")")], mutants)

    def operands(self, cursor):
        """(left, operator's offset, operator, right) of an infix expression."""
        children = [c for c in cursor.get_children() if self.here(c)]
        if len(children) < 2:
            return None
        left, right = children[0], children[-1]
        if left.extent.start.offset != cursor.extent.start.offset or right.extent.end.offset != cursor.extent.end.offset:
            return None
        between = self.text[left.extent.end.offset:right.extent.start.offset]
        operator = between.strip()
        if operator not in INFIX and operator not in LAZY:
            return None
        return left, left.extent.end.offset + between.index(operator), operator, right

    def infix(self, cursor):
        found = self.operands(cursor)
        if not found:
            return
        left, at, operator, right = found
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        if operator in LAZY:
            a, b = left.extent, right.extent
            self.add(cursor, [(start, start, f"{NS}flip(@0, "), (start, start, f"{NS}flip(@0, "), (a.end.offset, a.end.offset, ")"),
                              (b.start.offset, b.start.offset, f"{NS}flip(@0, "), (end, end, "))")],
                     [f"{operator} -> {LAZY[operator]}"])
            return
        if self.source(right) == "0" and "<=>" in self.source(left):
            return
        name, others = INFIX[operator]
        one, other = (self.as_value(c) for c in (left, right))
        self.add(cursor, [(start, start, f"{NS}{name}(@0, {one}"), (at, at + len(operator), f", {other}"), (end, end, ")")],
                 [f"{operator} -> {other}" for other in others])

    def as_value(self, cursor):
        """A sign before a local constant, which a lambda need not capture for its value."""
        while cursor.kind == K.UNEXPOSED_EXPR and len(list(cursor.get_children())) == 1:
            cursor = next(cursor.get_children())
        named = cursor.referenced if cursor.kind == K.DECL_REF_EXPR else None
        local = named is not None and named.kind == K.VAR_DECL and named.semantic_parent.kind in FUNCTIONS
        return "+" if local and self.here(named) and "constexpr" in self.source(named).split() else ""

    def literal(self, cursor):
        text = self.source(cursor)
        digits = text.rstrip("uUlLzZ")
        suffix = text[len(digits):]
        try:
            value = int(digits.replace("'", ""), 0)
        except ValueError:
            return
        if value == 0:
            others = ["1" + suffix, f"std::numeric_limits<decltype({text})>::max()"]
        elif value == 1:
            others = ["0" + suffix, "2" + suffix]
        else:
            others = [f"{value + 1}{suffix}", f"{value - 1}{suffix}"]
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        self.add(cursor, [(start, start, f"{NS}lit(@0, "), (end, end, f", {others[0]}, {others[1]})")],
                 [f"{text} -> {o if 'max' not in o else 'max'}" for o in others])

    def unary(self, cursor):
        sign = self.text[cursor.extent.start.offset]
        following = self.text[cursor.extent.start.offset + 1]
        if sign == "!" and following != "=":
            self.wrap(cursor, "flip", ["! dropped"])
        elif sign == "-" and following != "-":
            self.prefix(cursor, "neg", "- dropped")
        elif sign == "~":
            self.prefix(cursor, "inv", "~ dropped")

    def prefix(self, cursor, function, what):
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        self.add(cursor, [(start, start + 1, f"{NS}{function}(@0, "), (end, end, ")")], [what])

    def condition(self, cursor):
        if self.text[cursor.extent.start.offset:].startswith("if constexpr"):
            return
        for child in cursor.get_children():
            if child.kind in (K.DECL_STMT, K.VAR_DECL):
                if cursor.kind == K.IF_STMT and child.kind == K.DECL_STMT:
                    continue  # what comes before the condition
                return
            if child.kind.is_expression() and self.here(child):
                # `!x` and relations already turn into their opposites.
                found = self.operands(child)
                if child.kind == K.UNARY_OPERATOR or (found and found[2] in INFIX):
                    return
                self.wrap(child, "flip", ["condition negated"])
                return

    def statement(self, child):
        dropped = (child.kind.is_expression() or child.kind in (K.BREAK_STMT, K.CONTINUE_STMT) or
                   (child.kind == K.RETURN_STMT and not list(child.get_children())))
        if not dropped or not self.here(child):
            return
        start = child.extent.start.offset
        words = " ".join(self.source(child).split())
        self.add(child, [(start, start, f"if ({NS}kept(@0)) ")], [f"dropped: {words[:70]}"])

    def subscript(self, cursor, children):
        index = children[-1]
        if len(children) == 2 and self.here(index) and index.kind != K.INTEGER_LITERAL:
            self.wrap(index, "at", ["index + 1", "index - 1"])

    def swapped(self, cursor):
        children = [c for c in cursor.get_children() if self.here(c)]
        if len(children) >= 2 and self.text[children[0].extent.end.offset:][:1] == "[" and "]" in self.source(cursor)[-1:]:
            self.subscript(cursor, [children[0], children[-1]])
            return
        arguments = [a for a in cursor.get_arguments() if a is not None]
        plain = (K.DECL_REF_EXPR, K.UNEXPOSED_EXPR, K.MEMBER_REF_EXPR)
        for one, other in zip(arguments, arguments[1:]):
            texts = [self.source(a) for a in (one, other)]
            if (one.kind not in plain or other.kind not in plain or not all(t.replace("_", "a").replace(".", "a").isalnum() for t in texts)
                    or texts[0] == texts[1] or self.text[one.extent.end.offset:other.extent.start.offset].strip() != ","):
                continue
            if one.type.get_canonical().spelling.replace("const ", "") != other.type.get_canonical().spelling.replace("const ", ""):
                continue
            edits = []
            for cursor_, first, second in ((one, *texts), (other, *texts[::-1])):
                start, end = cursor_.extent.start.offset, cursor_.extent.end.offset
                edits.append((start, end, f"{NS}either(@0, {first}, {second})"))
            self.add(one, edits, [f"{texts[0]}, {texts[1]} swapped"])
            return


def find(root, folders):
    """All sites of the headers under `root`/include/hashring/<folder>, by file."""
    index = cindex.Index.create()
    top = f"{root}/include/hashring/hashring.hpp"
    unit = index.parse(top, args=["-x", "c++", "-std=c++20", f"-I{root}/include"])
    errors = [d for d in unit.diagnostics if d.severity >= 3]
    if errors:
        raise SystemExit(f"clang: {errors[0]}")
    finders = {}

    def descend(cursor):
        for child in cursor.get_children():
            file = child.location.file
            if file is None or not any(f"/hashring/{folder}/" in file.name for folder in folders):
                continue
            finder = finders.setdefault(file.name, Finder(file.name, open(file.name, encoding="ascii", errors="surrogateescape").read()))
            finder.walk(child)

    descend(unit.cursor)
    return {name: unique(finder.sites) for name, finder in sorted(finders.items())}


def unique(sites):
    """A place is visited more than once where clang's tree says the same in two forms."""
    seen, result = set(), []
    for site in sites:
        key = (tuple(site.edits), site.mutants[0])
        if key not in seen:
            seen.add(key)
            result.append(site)
    return result
