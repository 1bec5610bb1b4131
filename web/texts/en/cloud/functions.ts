/** Serverless functions. */
export const functions = {
  'function.duration': '{duration} ms',
  'function.billed': '{duration} ms · {billed} ms billed',
  'function.tail': 'Its last log lines',
  'function.runtime': 'Runtime',
  'function.memoryTimeout': 'Memory, timeout',
  'function.changed': 'Changed',
  'function.environment': 'Environment',
  'function.aliases': 'Aliases',
  'function.aliases.hidden': 'May not be read here (lambda:ListAliases)',
  'function.none.aliases': 'none',
  'function.version': 'version {version}',
  'function.version.share': 'version {version} ({share})',
  'function.logs': 'Logs of the last hour',
  'function.mode.sync': 'Wait for the answer',
  'function.mode.async': 'Queue the call',
  'function.mode.dryRun': 'Check the permission only',
  'function.payload': 'Payload (JSON)',
  'function.invoke.of': 'Invoke {name}',
  'function.how': 'How',
  'function.none.env': 'none'
} as const
