"""Writes a tree of headers in which every mutant of `folders` is there and one of them can be chosen when a program starts."""
import pathlib
import shutil

import sites as finder


def rewritten(text, sites, first):
    """`text` with all edits of its sites, whose mutants are numbered from `first` on; and the next number."""
    opens, closes, others = {}, {}, []
    number = first
    for site in sites:
        for start, end, insert in site.edits:
            insert = insert.replace("@0", str(number))
            if start != end:
                others.append((start, end, insert))
            elif insert[0] in "),":
                closes.setdefault(start, []).insert(0, insert)  # the inner ones end first
            else:
                opens.setdefault(start, []).append(insert)  # the outer ones begin first
        number += len(site.mutants)
    pieces, at = [], 0
    replaced = {start: (end, insert) for start, end, insert in others}
    for place in sorted(set(opens) | set(closes) | set(replaced)):
        if place < at:
            raise SystemExit(f"{sites[0].path}: edits overlap at {place}")
        pieces += [text[at:place], *closes.get(place, []), *opens.get(place, [])]
        at = place
        if place in replaced:
            at, insert = replaced[place]
            pieces.append(insert)
    pieces.append(text[at:])
    return "".join(pieces), number


def write(root, target, folders):
    """Copies include/ to `target`, instrumented. Returns (number, path, line, what) of each mutant."""
    target = pathlib.Path(target)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(f"{root}/include", target)
    mutants, number = [], 1
    for path, sites in finder.find(root, folders).items():
        relative = path.split("/include/")[-1]
        for site in sites:
            for what in site.mutants:
                mutants.append((len(mutants) + 1, relative, site.line, what))
        source = pathlib.Path(path)
        text, number = rewritten(source.read_text("ascii", errors="surrogateescape"), sites, number)
        (target / relative).write_text(text, "ascii", errors="surrogateescape")
    assert number == len(mutants) + 1
    return mutants
