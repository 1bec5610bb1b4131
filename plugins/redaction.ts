const secrets: [RegExp, string][] = [
  [/\b(AKIA|ASIA)[A-Z0-9]{16}\b/g, '[redacted access key]'],
  [/\bstw_(pat|link|sess)_[0-9A-Za-z]{36,64}\b/g, '[redacted token]'],
  [/\bwhsec_[0-9A-Za-z+/]{24,}={0,2}/g, '[redacted secret]'],
  [/\bgh[pousr]_[0-9A-Za-z]{36,255}\b/g, '[redacted token]'],
  [/\bgithub_pat_[0-9A-Za-z_]{22,255}\b/g, '[redacted token]'],
  [/\bsk-ant-[0-9A-Za-z_-]{20,}\b/g, '[redacted key]'],
  [/\bxox[abprs]-[0-9A-Za-z-]{10,}\b/g, '[redacted token]'],
  [/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]+/g, '[redacted token]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[redacted private key]'],
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"']+:)[^\s@"']+@/gi, '$1[redacted]@'],
  [/\b(authorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+)[^\s"']+/gi, '$1[redacted]'],
  [/\b(aws_secret_access_key["']?\s*[:=]\s*["']?)[A-Za-z0-9/+=]{30,}/gi, '$1[redacted]']
]

/** Anything that one of the patterns could match, so that most texts need no closer look. */
const traces = ['AKIA|ASIA|stw_|whsec_|gh[pousr]_|github_pat_|sk-ant-|xox[abprs]-|eyJ|PRIVATE KEY',
  '://[^\\s/"]*@|authorization|secret_access_key'].join('|')

/** A quick test for texts that may hold a credential; `more` adds to what is looked for. */
export const mayHoldSecret = (more = ''): RegExp => new RegExp(more === '' ? traces : `${traces}|${more}`, 'i')

/** @returns the text without what has the form of a credential */
export const redactText = (text: string): string =>
  secrets.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)

/** @returns the text, as long as it was, with stars in place of what has the form of a credential */
export const maskText = (text: string): string => secrets.reduce((left, [pattern, replacement]) =>
  left.replace(pattern, (found: string, first: unknown) => {
    const kept = replacement.startsWith('$1') ? String(first) : ''
    return kept + '*'.repeat(found.length - kept.length)
  }), text)
