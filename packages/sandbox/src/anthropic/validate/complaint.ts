interface Complaint {
  keyword: string
  instancePath: string
  message?: string
  params: Record<string, unknown>
}

const kinds: Record<string, string> = {
  integer: 'a valid integer',
  number: 'a valid number',
  string: 'a valid string',
  boolean: 'a valid boolean',
  array: 'a valid list',
  object: 'a valid dictionary'
}

/** The validator's findings, in the API's words. */
export function describeComplaint ({ keyword, instancePath, params, message }: Complaint) {
  const path = instancePath.slice(1).split('/').filter(Boolean)
  const at = (name?: unknown) => [...path, ...(name ? [String(name)] : [])].join('.')
  if (keyword === 'required') return `${at(params.missingProperty)}: Field required`
  if (keyword === 'additionalProperties') return `${at(params.additionalProperty)}: Extra inputs are not permitted`
  if (keyword === 'type') return `${at()}: Input should be ${kinds[String(params.type)] ?? params.type}`
  return `${at()}: Input ${message ?? 'is invalid'}`
}
