import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = {
  bash, css, diff, dockerfile, go, ini, java, json, markdown, python, rust, shell, sql, typescript, xml, yaml
}
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
// TypeScript's grammar contains the other.
hljs.registerAliases(['javascript', 'js', 'jsx', 'mjs', 'cjs'], { languageName: 'typescript' })
hljs.registerAliases(['hcl', 'terraform', 'tf'], { languageName: 'ini' })

/** @returns the code as HTML of nothing but spans; undefined for a language that is not known */
export const highlight = (code: string, language: string): string | undefined =>
  hljs.getLanguage(language) && hljs.highlight(code, { language, ignoreIllegals: true }).value
