# House sizes, from C text in the project's layout (a function's braces stand in column 1).
# Reports: files over 500 lines (700 when the header says "Longer than 500 lines because"), functions
# over 60 (a dispatch switch may be as long as its table), more than 5 parameters (err and a
# printf tail not counted), blocks nested more
# than 3 deep, lines over 100 columns. The exit code is 1 when anything was reported.

function report(text) { printf "%s:%d: %s\n", FILENAME, FNR, text; bad = 1 }

# The line without strings, character constants and comments.
function code_of(s)
{
    gsub(/\\./, "", s)
    gsub(/"[^"]*"/, "\"\"", s)
    gsub(/'[^']*'/, "0", s)
    gsub(/\/\*.*\*\//, "", s)
    sub(/\/\/.*/, "", s)
    if (in_comment) {
        if (s !~ /\*\//) return ""
        sub(/.*\*\//, "", s); in_comment = 0
    }
    if (s ~ /\/\*/) { sub(/\/\*.*/, "", s); in_comment = 1 }
    return s
}

function parameters(header,   i, c, depth, commas, seen)
{
    # The error out-parameter and a printf tail are conventions of the tree, not inputs.
    sub(/,[ \t]*struct lab_err \*err\)/, ")", header)
    sub(/,[ \t]*const char \*fmt,[ \t]*\.\.\.\)/, ")", header)
    for (i = 1; i <= length(header); i++) {
        c = substr(header, i, 1)
        if (c == "(") { depth++; seen = 1 }
        else if (c == ")") { depth--; if (seen && depth == 0) break }
        else if (c == "," && depth == 1) commas++
    }
    return commas + 1
}

function end_file()
{
    if (file == "") return
    if (lines > 700 || (lines > 500 && !reason)) {
        printf "%s: %d lines, at most 500 (700 with a reason in the header)\n", file, lines; bad = 1
    }
}

FNR == 1 { end_file(); file = FILENAME; reason = 0; in_comment = 0; inside = 0; header = "" }
{ lines = FNR }
FNR <= 40 && /Longer than 500 lines because/ { reason = 1 }
{
    shown = $0
    gsub(/[\200-\277]/, "", shown) # continuation bytes: count characters, not bytes
    if (length(shown) > 100) report("a line of " length(shown) " columns, at most 100")
    code = code_of($0)
}
!inside && code ~ /^\{/ {
    inside = 1; start = FNR; cases = 0; depth = 0; deepest = 0
    if (parameters(header) > 5) report("a function of " parameters(header) " parameters, at most 5")
    next
}
!inside {
    if (code ~ /^[ \t]*$/ || code ~ /[;}][ \t]*$/ || code ~ /^#/) header = ""
    else header = header " " code
}
inside && code ~ /^\}/ {
    length_ = FNR - start - 1
    if (length_ > 60 && cases < length_ * 0.6) report("a function of " length_ " lines, at most 60")
    if (deepest > 3) report("blocks nested " deepest " deep in this function, at most 3")
    inside = 0; header = ""
    next
}
inside {
    if (code ~ /^[ \t]*case .*:/) cases++
    depth += gsub(/\{/, "{", code) - gsub(/\}/, "}", code)
    if (depth > deepest) deepest = depth
}
END { end_file(); exit bad }
