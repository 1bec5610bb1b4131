/** What a name ends with that means a secret, whatever stands before it and however its words are joined. */
const nouns = ['secret', 'passwords?', 'passwd', 'passphrase', 'pwd', 'token', 'credentials?', 'cookie', 'authorization',
  'secret[_-]?(?:access[_-]?)?key', '(?:api|private|signing|encryption|account|auth|shared[_-]?access|access)[_-]?key',
  'connection[_-]?string'].join('|')

/** Tokens that lead to the next page, or name a request: whoever has them has nothing. */
const harmless = '(?:next|page|continuation|pagination|sync|client[_-]?request|idempotency|csrf)[_-]?'

const secretName = new RegExp(`(?<!${harmless})(?:${nouns})$`, 'i')

/** @returns whether what has this name, of a field or a variable, is a secret: SecretAccessKey, db_password, X-Api-Key */
export const isSecretName = (name: string): boolean => name.length <= 100 && secretName.test(name)

/** A reference to a secret says where it is, and is none itself. */
const reference = /^(?:\$|<|\{|%|\*|\[redacted|arn:|https?:|process\.env|env\.|secrets?\.|vault:|ssm:)/i

/** @returns whether a value that has a secret's name is the secret, and not a word about it or where it is */
export const isSecretValue = (value: string): boolean =>
  value.length >= 6 && !reference.test(value) && /[0-9!@#$%^&*+/=]/.test(value)

/** A name, what joins it with its value in JSON, YAML, an environment, a header or a query, and the value. */
export const namedSecret = new RegExp(
  `(?<kept>(?<!${harmless})(?:${nouns})["'\\\\]{0,4}[ \\t]{0,4}(?:=>|[:=])[ \\t]{0,4}["'\\\\]{0,4})` +
  '(?<value>[^\\s"\'\\\\,;&<>(){}\\[\\]]{6,2000})', 'gi')
