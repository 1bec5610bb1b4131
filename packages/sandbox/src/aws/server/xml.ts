/** An object as XML elements, as awsQuery has it; undefined members are left out. */
export function toXml (value: unknown): string {
  if (value === undefined || value === null) return ''
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => `<member>${toXml(item)}</member>`).join('')
  if (typeof value !== 'object') return escape(String(value))
  return Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => `<${name}>${toXml(item)}</${name}>`)
    .join('')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function escape (text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
