export { redactText } from '../../../lib/security/redaction.js'
export { redact, redactValueRead } from '../../../lib/security/redaction.js'
