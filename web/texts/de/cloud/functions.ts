import type { Texts } from '../../texts'
import type { functions as english } from '../../en/cloud/functions'

export const functions: Texts<typeof english> = {
  'function.duration': '{duration} ms',
  'function.billed': '{duration} ms · {billed} ms berechnet',
  'function.tail': 'Die letzten Logzeilen',
  'function.runtime': 'Laufzeit',
  'function.memoryTimeout': 'Speicher, Timeout',
  'function.changed': 'Geändert',
  'function.environment': 'Umgebung',
  'function.aliases': 'Aliase',
  'function.aliases.hidden': 'Dürfen hier nicht gelesen werden (lambda:ListAliases)',
  'function.none.aliases': 'keine',
  'function.version': 'Version {version}',
  'function.version.share': 'Version {version} ({share})',
  'function.logs': 'Logs der letzten Stunde',
  'function.mode.sync': 'Auf die Antwort warten',
  'function.mode.async': 'Aufruf einreihen',
  'function.mode.dryRun': 'Nur die Berechtigung prüfen',
  'function.payload': 'Payload (JSON)',
  'function.invoke.of': '{name} aufrufen',
  'function.how': 'Wie',
  'function.none.env': 'keine'
}
