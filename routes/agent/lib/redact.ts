export { redactText } from '../../../lib/security/redaction.js'
export { redact } from '../../../lib/security/redact-value.js'
