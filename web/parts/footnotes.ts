import type { Token, Tokens, TokenizerAndRendererExtension } from 'marked'

interface Note extends Tokens.Generic { type: 'footnote', label: string, tokens: Token[] }

export const isFootnote = (token: Token): token is Note => token.type === 'footnote'

/** `[^1]: the note`, up to the end of its line; the label is what stands at its reference. */
const note: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  start: (source) => source.search(/^\[\^/m),
  tokenizer (source) {
    const [raw, label, text] = /^\[\^([\w-]{1,40})\]:[ \t]+([^\n]+)(?:\n|$)/.exec(source) ?? []
    if (raw === undefined || text === undefined) return undefined
    return { type: 'footnote', raw, label, tokens: this.lexer.inlineTokens(text) }
  },
  renderer ({ label, tokens = [] }) {
    return `<p><sup>${String(label)}</sup> ${this.parser.parseInline(tokens)}</p>`
  }
}

const reference: TokenizerAndRendererExtension = {
  name: 'reference',
  level: 'inline',
  start: (source) => source.indexOf('[^'),
  tokenizer (source) {
    const [raw, label] = /^\[\^([\w-]{1,40})\](?!:)/.exec(source) ?? []
    return raw === undefined ? undefined : { type: 'reference', raw, label }
  },
  renderer: ({ label }) => `<sup><a href="#note-${String(label)}">${String(label)}</a></sup>`
}

/** Footnotes, as GitHub writes them. */
export const footnotes = [note, reference]
