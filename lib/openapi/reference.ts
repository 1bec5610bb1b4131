import { fieldsOf, isObject, textIn } from '../../schemas/unknown.js'

/**
 * The reference of the API as pages of plain HTML: a list of the operations, a page for each of them and for each named
 * schema, and the error codes. They need no script and are made from the document that clients are generated from.
 */
type Json = Record<string, unknown>

interface Operation { id: string, method: string, path: string, tag: string, summary: string, operation: Json }

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)

/** Descriptions are one paragraph of text with names between backticks. */
const inline = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const list = (value: unknown): Json[] => Array.isArray(value) ? value.map(fieldsOf) : []
const nameIn = (ref: unknown): string => String(ref).split('/').at(-1) ?? ''
const code = (value: unknown): string => `<code>${escape(String(value))}</code>`

export class ApiReference {
  readonly #operations: readonly Operation[]

  /** @param document OpenAPI 3.1, of which every reference is into its own components */
  constructor (private readonly document: Json) {
    this.#operations = Object.entries(fieldsOf(document.paths)).flatMap(([path, item]) =>
      Object.entries(fieldsOf(item)).flatMap(([method, value]) => {
        const operation = fieldsOf(value)
        const id = textIn(operation, 'operationId')
        if (id === undefined) return []
        const tag = Array.isArray(operation.tags) ? String(operation.tags[0]) : ''
        return [{ id, method: method.toUpperCase(), path, tag, summary: textIn(operation, 'summary') ?? id, operation }]
      }))
  }

  /** The operations by area, each with its method, its path and what it does. */
  renderIndex (): string {
    const areas = list(this.document.tags).map((tag) => {
      const name = textIn(tag, 'name') ?? ''
      const rows = this.#operations.filter((one) => one.tag === name).map(({ id, method, path, summary }) =>
        `<tr><td>${code(method)}</td><td>${code(path)}</td><td><a href="${id}">${escape(summary)}</a></td></tr>`)
      return `<h2 id="${escape(name)}">${escape(name)}</h2><p>${inline(textIn(tag, 'description') ?? '')}</p>${
        this.#table(['Method', 'Path', 'Operation'], rows)}`
    })
    const { title, version, description } = fieldsOf(this.document.info)
    return this.#page('API', '', `<h1>${escape(String(title))} API</h1>
      <p>${inline(String(description))}</p>
      <p>Version ${escape(String(version))}. Send a token as <code>Authorization: Bearer …</code>; a browser sends its
      session. Errors are <a href="errors">problems with a code</a>. Generate a client from
      <a href="../openapi.json">openapi.json</a>, or try an operation with the command on its page.</p>${areas.join('\n')}`)
  }

  /** @returns undefined where there is no such operation */
  renderOperation (id: string): string | undefined {
    const found = this.#operations.find((one) => one.id === id)
    if (!found) return undefined
    const { operation, method, path, summary, tag } = found
    const parameters = list(operation.parameters).map((one) => this.#resolve(one))
    const rows = parameters.map((one) => `<tr><td>${code(one.name)}</td><td>${escape(String(one.in))}</td><td>${
      this.#typeOf(one.schema, '')}</td><td>${this.#notesOf(one.schema, one.description, one.required === true)}</td></tr>`)
    const body = this.#contentOf(operation.requestBody)
    return this.#page(summary, '', `<p><a href="./#${escape(tag)}">${escape(tag)}</a></p>
      <h1>${escape(summary)}</h1><p>${code(`${method} ${path}`)}</p><p>${inline(textIn(operation, 'description') ?? '')}</p>
      ${rows.length > 0 ? `<h2 id="parameters">Parameters</h2>${this.#table(['Name', 'In', 'Type', ''], rows)}` : ''}
      ${body.map(({ type, schema }) => `<h2 id="body">Body</h2><p>${code(type)}</p>${this.#shapeOf(schema, '')}`).join('')}
      <h2 id="answers">Answers</h2>${this.#answersOf(operation)}
      <h2 id="example">Try it</h2><pre tabindex="0"><code>${escape(this.#command(found, parameters, body[0]))}</code></pre>`)
  }

  /** @returns undefined where there is no such schema */
  renderSchema (name: string): string | undefined {
    const schemas = fieldsOf(fieldsOf(this.document.components).schemas)
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (!isObject(schema)) return undefined
    return this.#page(name, '../', `<h1>${escape(name)}</h1><p>${inline(textIn(schema, 'description') ?? '')}</p>${
      this.#shapeOf(schema, '../')}`)
  }

  renderErrors (): string {
    const rows = Object.entries(fieldsOf(this.document['x-error-codes'])).map(([name, value]) =>
      `<tr><td>${code(name)}</td><td>${escape(String(fieldsOf(value).status))}</td><td>${
        inline(String(fieldsOf(value).title))}</td></tr>`)
    return this.#page('Error codes', '', `<h1>Error codes</h1><p>Every error is a problem (RFC 9457) with one of these
      codes, which has always the same status. An operation's page names those that it answers.</p>${
      this.#table(['Code', 'Status', 'Meaning'], rows)}`)
  }

  #resolve (value: unknown): Json {
    let found = fieldsOf(value)
    while (typeof found.$ref === 'string') {
      const [, , kind = '', name = ''] = found.$ref.split('/')
      found = fieldsOf(fieldsOf(fieldsOf(this.document.components)[kind])[name])
    }
    return found
  }

  #contentOf (message: unknown): { type: string, schema: unknown }[] {
    return Object.entries(fieldsOf(this.#resolve(message).content))
      .map(([type, value]) => ({ type, schema: fieldsOf(value).schema }))
  }

  /** @param up from the page to the index */
  #typeOf (schema: unknown, up: string): string {
    const { $ref, type, items, enum: values, const: value, format, anyOf, oneOf } = fieldsOf(schema)
    if ($ref !== undefined) return `<a href="${up}schemas/${encodeURIComponent(nameIn($ref))}">${escape(nameIn($ref))}</a>`
    if (value !== undefined) return code(JSON.stringify(value))
    if (Array.isArray(values)) return values.map((one) => code(JSON.stringify(one))).join(' ')
    const members = anyOf ?? oneOf
    if (Array.isArray(members)) return members.map((one) => this.#typeOf(one, up)).join(' or ')
    if (type === 'array') return `list of ${this.#typeOf(items, up)}`
    return escape([type === undefined ? 'any' : [type].flat().join(' or '), format].filter(Boolean).join(', '))
  }

  /** What a value must be, beside its type. */
  #notesOf (schema: unknown, description: unknown, isRequired: boolean): string {
    const { default: usual, minimum, maximum, minLength, maxLength, maxItems, description: own } = fieldsOf(schema)
    const between = (from: unknown, to: unknown, unit: string): string | undefined => {
      if (to === undefined) return from === undefined ? undefined : `at least ${String(from)}${unit}`
      return `${from === undefined ? 'at most ' : `${String(from)} to `}${String(to)}${unit}`
    }
    const notes = [
      isRequired ? 'required' : undefined, between(minimum, maximum, ''), between(minLength, maxLength, ' characters'),
      between(undefined, maxItems, ' items'), usual === undefined ? undefined : `${JSON.stringify(usual)} when absent`
    ].filter((note) => note !== undefined)
    const words = inline(String(description ?? own ?? ''))
    return `${words}${words && notes.length > 0 ? '. ' : ''}${notes.length > 0 ? `<em>${escape(notes.join('; '))}</em>` : ''}`
  }

  /** The properties of a schema; those of what lies in it without a name follow with their path. */
  #rowsOf (schema: unknown, up: string, path: string): string[] {
    const { properties, required } = this.#resolve(schema)
    const needed = Array.isArray(required) ? required : []
    return Object.entries(fieldsOf(properties)).flatMap(([name, value]) => {
      const { items, type, description, $ref } = fieldsOf(value)
      const at = path === '' ? name : `${path}.${name}`
      const row = `<tr><td>${code(at)}</td><td>${this.#typeOf(value, up)}</td><td>${
        this.#notesOf(value, description, needed.includes(name))}</td></tr>`
      if ($ref !== undefined) return [row]
      const inner = type === 'array' && fieldsOf(items).$ref === undefined ? items : value
      return [row, ...this.#rowsOf(inner, up, type === 'array' ? `${at}[]` : at)]
    })
  }

  #shapeOf (schema: unknown, up: string): string {
    const { anyOf, oneOf } = this.#resolve(schema)
    const members = anyOf ?? oneOf
    const rows = this.#rowsOf(schema, up, '')
    const named = fieldsOf(schema).$ref === undefined ? '' : `<p>${this.#typeOf(schema, up)}</p>`
    // A member with a name has a page; the fields of one without stand here.
    if (Array.isArray(members)) {
      const unnamed = members.filter((one) => fieldsOf(one).$ref === undefined)
        .map((one) => this.#rowsOf(one, up, '')).filter((fields) => fields.length > 0)
      return `${named}<p>One of ${this.#typeOf(this.#resolve(schema), up)}</p>${
        unnamed.map((fields) => this.#table(['Field', 'Type', ''], fields)).join('\n')}`
    }
    return rows.length > 0 ? named + this.#table(['Field', 'Type', ''], rows) : `<p>${this.#typeOf(schema, up)}</p>`
  }

  #answersOf ({ responses }: Json): string {
    const rows = Object.entries(fieldsOf(responses)).map(([status, value]) => {
      const { description } = this.#resolve(value)
      const types = this.#contentOf(value).filter(({ type }) => type !== 'application/problem+json')
        .map(({ type, schema }) => `${code(type)} ${this.#typeOf(schema, '')}`)
      return `<tr><td>${escape(status)}</td><td>${inline(String(description ?? ''))}</td><td>${types.join('<br>')}</td></tr>`
    })
    return this.#table(['Status', 'Meaning', 'Content'], rows)
  }

  /** A value that shows what belongs there: the first of several, a word for what is free. */
  #exampleOf (schema: unknown, depth = 0): unknown {
    const { type, properties, required, items, enum: values, const: value, default: usual, examples, anyOf, oneOf } =
      this.#resolve(schema)
    const members = anyOf ?? oneOf
    for (const one of [value, usual, Array.isArray(examples) ? examples[0] : undefined]) if (one !== undefined) return one
    if (Array.isArray(values)) return values[0]
    if (Array.isArray(members)) return this.#exampleOf(members[0], depth)
    if (type === 'array') return depth > 4 ? [] : [this.#exampleOf(items, depth + 1)]
    if (type === 'integer' || type === 'number') return 1
    if (type === 'boolean') return true
    if (type !== 'object') return '…'
    const needed = Array.isArray(required) ? required : []
    return Object.fromEntries(Object.entries(fieldsOf(properties)).filter(([name]) => needed.includes(name))
      .map(([name, property]) => [name, this.#exampleOf(property, depth + 1)]))
  }

  #command ({ method, path }: Operation, parameters: readonly Json[], body?: { type: string, schema: unknown }): string {
    const query = parameters.filter((one) => one.in === 'query' && one.required === true)
      .map(({ name, schema }) => `${String(name)}=${encodeURIComponent(String(this.#exampleOf(schema)))}`).join('&')
    const address = `$STEWARD_URL${path.replace(/\{(\w+)\}/g, '<$1>')}${query && `?${query}`}`
    const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${address}"`, '-H "authorization: Bearer $STEWARD_TOKEN"']
    if (body?.type === 'application/json') {
      const data = JSON.stringify(this.#exampleOf(body.schema)).replaceAll("'", "'\\''")
      lines.push('-H "content-type: application/json"', `-d '${data}'`)
    }
    return lines.join(' \\\n  ')
  }

  #table (heads: readonly string[], rows: readonly string[]): string {
    return `<div class="wide" tabindex="0"><table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')
      }</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
  }

  #page (title: string, up: string, content: string): string {
    const areas = list(this.document.tags).map(({ name }) =>
      `<li><a href="${up}./#${escape(String(name))}">${escape(String(name))}</a></li>`).join('')
    return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escape(title)} · Steward API</title>
  <link rel="icon" type="image/svg+xml" href="${up}../guide/icon.svg">
  <link rel="stylesheet" href="${up}../guide/guide.css">
  <script src="${up}../guide/guide.js"></script>
</head>
<body>
  <a class="skip" href="#content">Skip to the content</a>
  <header><a href="${up}../"><img src="${up}../guide/icon.svg" alt="" width="26" height="26">Steward</a><a
    href="${up}../guide/">Guide</a><a href="${up}./">API</a></header>
  <div class="columns">
    <details open><summary>All areas</summary><nav aria-label="Areas of the API"><ul>${areas
      }<li><a href="${up}errors">Error codes</a></li></ul></nav></details>
    <main id="content" tabindex="-1">${content}</main>
  </div>
</body>
</html>
`
  }
}
