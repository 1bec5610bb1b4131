import type { SpecSettings } from '../schemas/document.js'

type Profile = SpecSettings['profile']

interface Category {
  key: string
  profiles: readonly Profile[]
  evidence: RegExp
  question: string
  why: string
  options: readonly string[]
}

const every: readonly Profile[] = ['kernel', 'standard', 'full']
const most: readonly Profile[] = ['standard', 'full']
const full: readonly Profile[] = ['full']

/** Topics that specs often omit, with the words that show that a spec covers them. */
export const taxonomy: readonly Category[] = [
  {
    key: 'scope',
    profiles: every,
    evidence: /(?<!\p{L})(?:out of scope|not in scope|non-goals?|excluded|will not (?:include|cover)|nicht (?:bestand)?teil|nicht-?ziele|hors périmètre|fuera de(?:l)? alcance)(?!\p{L})/iu,
    question: 'What is out of scope?',
    why: 'Without a limit, everything that is near the subject may be expected',
    options: []
  },
  {
    key: 'roles',
    profiles: every,
    evidence: /(?<!\p{L})(?:users?|admin\w*|operators?|customers?|roles?|staff|visitors?|members?|(?:be)?nutzer\w*|kunden?|anwender\w*|mitarbeite\w*|rollen?|utilisat\w+|clients?|rôles?|usuari\w+|clientes?|roles)(?!\p{L})/iu,
    question: 'Who uses it, and what may each of them do?',
    why: 'Rights and screens follow from roles',
    options: []
  },
  {
    key: 'errors',
    profiles: every,
    evidence: /(?<!\p{L})(?:errors?|fail(?:s|ed|ure|ing)?|invalid|unavailable|time-?outs?|retr(?:y|ies)|refuses?|rejects?|fehler\w*|fehlschl\w+|ungültig\w*|abgelehnt|erreurs?|échou\w+|échec|invalides?|refus\w*|errores|error|fall[ao]s?|inválid\w+|rechaz\w+)(?!\p{L})/iu,
    question: 'What happens when a step fails or its input is not valid?',
    why: 'Most of what users complain of lies outside the good path',
    options: ['Show an error and change nothing', 'Try again, then tell somebody']
  },
  {
    key: 'security',
    profiles: every,
    evidence: /(?<!\p{L})(?:secur\w+|encrypt\w*|authenticat\w+|authori[sz]\w+|permissions?|sign[- ]?in|log[- ]?in|password\w*|passw[oö]rt\w*|anmeld\w+|sicherheit\w*|verschlüssel\w+|berechtig\w+|sécuri\w+|chiffr\w+|mots? de passe|connexion|segur\w+|cifr\w+|contraseñas?|autentic\w+|permisos?)(?!\p{L})/iu,
    question: 'Who must sign in, and what must be protected from whom?',
    why: 'Protection that is added later costs more and leaves gaps',
    options: []
  },
  {
    key: 'data',
    profiles: most,
    evidence: /(?<!\p{L})(?:data|records?|stor(?:e|es|ed|age)|database|fields?|daten|datenbank|gespeichert|speicher\w*|données|enregistr\w+|stock(?:é|er)\w*|datos|almacen\w+|guard\w+)(?!\p{L})/iu,
    question: 'What data is kept, and where does it come from?',
    why: 'Interfaces, rights and retention follow from the data',
    options: []
  },
  {
    key: 'performance',
    profiles: most,
    evidence: /(?<!\p{L})(?:within \d|seconds?|milliseconds?|ms|latency|response times?|throughput|performance|fast|sekunden?|millisekunden?|antwortzeit\w*|secondes?|millisecondes?|temps de réponse|segundos?|milisegundos?|tiempo de respuesta|innerhalb von \d)(?!\p{L})/iu,
    question: 'How fast must it answer, under what load?',
    why: 'Without a number, no test can fail',
    options: ['95 % of answers within 1 second', '95 % of answers within 3 seconds']
  },
  {
    key: 'limits',
    profiles: most,
    evidence: /(?<!\p{L})(?:at most|maximum|max\.?|up to|no more than|limits?|quotas?|concurrent|höchstens|maximal|bis zu|gleichzeitig\w*|au (?:plus|maximum)|jusqu['’]à|maximum|como máximo|hasta|máxim\w+)(?!\p{L})/iu,
    question: 'What are the limits: how many, how large, how often?',
    why: 'A system without limits has those that nobody chose',
    options: []
  },
  {
    key: 'retention',
    profiles: most,
    evidence: /(?<!\p{L})(?:retention|retain\w*|for \d+ (?:days|weeks|months|years)|delet\w+|erase\w*|archiv\w+|expire\w*|gdpr|gelöscht|löschen|löschfrist\w*|aufbewahr\w+|dsgvo|supprim\w+|effac\w+|conserv\w+|rgpd|borra\w*|elimin\w+|eliminar)(?!\p{L})/iu,
    question: 'How long is data kept, and who may have it deleted?',
    why: 'Law and storage both ask for it',
    options: []
  },
  {
    key: 'accessibility',
    profiles: most,
    evidence: /(?<!\p{L})(?:accessib\w+|wcag|screen readers?|keyboard|contrast|barrierefrei\w*|bitv|tastatur\w*|rgaa|clavier|accesib\w+|teclado)(?!\p{L})/iu,
    question: 'Which accessibility standard must it meet?',
    why: 'It decides on the choice of components, so it cannot be added at the end',
    options: ['WCAG 2.2 level AA', 'None: no person uses it directly']
  },
  {
    key: 'availability',
    profiles: full,
    evidence: /(?<!\p{L})(?:availab\w+|uptime|downtime|outages?|24\/7|recover\w*|backups?|verfügbar\w*|ausf[aä]ll\w*|disponib\w+|sauvegardes?|copias? de seguridad)(?!\p{L})/iu,
    question: 'How available must it be, and how fast must it be back after a failure?',
    why: 'The cost of running it depends on this number more than on any other',
    options: []
  },
  {
    key: 'observability',
    profiles: full,
    evidence: /(?<!\p{L})(?:logs?|logging|monitor\w*|metrics?|alerts?|audit\w*|protokoll\w*|überwach\w+|journal\w+|surveill\w+|registros?|alertas?)(?!\p{L})/iu,
    question: 'Who notices when it does not work, and how?',
    why: 'What is not observed is reported by customers',
    options: []
  }
]
