// Colours for MLIR's text, before Python is there; the same as `docs/mlir_lexer.py` has.

import { StreamLanguage } from "@codemirror/language";

const TOKENS = [
  [/^\/\/.*/, "comment"],
  [/^"(?:[^"\\]|\\.)*"?/, "string"],
  [/^%[\w.$#-]+/, "variableName"],
  [/^@[\w.$-]+/, "typeName"],
  [/^\^[\w.$-]+/, "labelName"],
  [/^[#!][\w.$-]+/, "macroName"],
  [/^(?:tensor|memref|vector|strided|affine_map|dense)(?=<)/, "className"],
  [/^(?:bf16|f\d+|i\d+|index)\b/, "className"],
  [/^(?:[\d?]+x)+(?=[a-z])/, "number"],
  [/^(?:true|false|to|step|into|from|do|else|attributes)\b/, "keyword"],
  [/^[a-z_]\w*\.[a-z_][\w.]*/, "keyword"],
  [/^\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/, "number"],
  [/^[A-Za-z_][\w$]*/, null],
];

export const mlir = StreamLanguage.define({
  languageData: { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  name: "mlir",
  token(stream) {
    if (stream.eatSpace()) return null;
    for (const [pattern, name] of TOKENS) {
      if (stream.match(pattern)) return name;
    }
    stream.next();
    return null;
  },
});
