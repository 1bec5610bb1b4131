/** What the whole package does beside the commands of a terminal; the server itself carries it out. */
export const serverCommands: Readonly<Record<string, string>> = {
  serve: 'starts a server; the environment configures it',
  'setup-link': 'prints a new one-time link',
  'recover-passkeys': 'gives a new start to whoever lost the last passkey',
  'forget-secrets': 'gives up what a lost key encrypted',
  distribute: 'divides the tables of a Citus among its workers',
  configuration: 'prints what there is to set',
  'verify-audit': 'checks an export of the audit log',
  openapi: 'prints the OpenAPI document'
}
