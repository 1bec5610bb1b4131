import t from '../tap.js'
import ts from 'typescript'
import { de } from '../../packages/sandbox/src/anthropic/assistant/speech/de.js'
import { es } from '../../packages/sandbox/src/anthropic/assistant/speech/es.js'
import { fr } from '../../packages/sandbox/src/anthropic/assistant/speech/fr.js'
import { ja } from '../../packages/sandbox/src/anthropic/assistant/speech/ja.js'
import { buildApp } from '../app.js'
import { chat, textOf } from '../chat.js'
import { listSources, read } from '../guards/sources.js'

const app = await buildApp(t, { LIMITS: JSON.stringify({ requests_per_minute: 5_000, live_runs_per_user: 20 }) })

type Language = 'de' | 'en' | 'es' | 'fr' | 'ja'

/** What the page and the assistant offer to a newcomer, the first four in the order of the page. */
const starters: Record<Language, string[]> = {
  en: ['Which clusters do I have?', 'What did we spend this month, by service?', 'Scale web to 4',
    'Show me the last errors of web', 'Is everything healthy?', 'Why did the last build fail?',
    'Write release notes from the merged pull requests', 'Hello', 'What can you do?',
    'Compare our spending with last month', 'Which pull requests are open?', 'Roll back web', 'Restart web', 'Thanks',
    'List my functions', 'Which drafts are there?', 'Which projects are there?', 'What did we spend in October?'],
  de: ['Welche Cluster habe ich?', 'Was haben wir diesen Monat ausgegeben, nach Dienst?', 'Skaliere web auf 4',
    'Zeig mir die letzten Fehler von web', 'Läuft alles?', 'Warum ist der letzte Build fehlgeschlagen?',
    'Schreib Release Notes aus den gemergten Pull Requests', 'Hallo', 'Was kannst du?',
    'Vergleiche die Kosten mit dem letzten Monat', 'Welche Pull Requests sind offen?',
    'Mache das letzte Deployment von web rückgängig', 'Starte web neu', 'Vielen Dank', 'Liste meine Funktionen',
    'Welche Entwürfe sind nicht veröffentlicht?', 'Welche Projekte gibt es?', 'Was haben wir im Oktober ausgegeben?',
    'Welche Konten sind verbunden?', 'Läuft web?', 'Wie viele Tasks laufen von web?', 'Skaliere den Worker hoch'],
  fr: ['Quels clusters ai-je ?', 'Combien avons-nous dépensé ce mois-ci, par service ?', 'Mets web à 4 instances',
    'Montre-moi les dernières erreurs de web', 'Est-ce que tout va bien ?', 'Pourquoi le dernier build a-t-il échoué ?',
    'Rédige les notes de version à partir des pull requests fusionnées', 'Bonjour', 'Que peux-tu faire ?',
    'Compare les coûts avec le mois dernier', 'Quelles pull requests sont ouvertes ?',
    'Annule le dernier déploiement de web', 'Redémarre web', 'Merci'],
  es: ['¿Qué clusters tengo?', '¿Cuánto gastamos este mes, por servicio?', 'Escala web a 4',
    'Muéstrame los últimos errores de web', '¿Está todo bien?', '¿Por qué falló el último build?',
    'Escribe las notas de la versión con los pull requests fusionados', 'Hola', '¿qué puedes hacer?',
    'Compara los costes con el mes pasado', '¿Qué pull requests están abiertos?', 'Deshaz el último despliegue de web',
    'Reinicia web', 'Gracias'],
  ja: ['どのクラスターがありますか', '今月の費用は？', 'web を 4 にスケールして', 'webの最新のエラーを見せて', 'すべて正常ですか',
    '最後のビルドはなぜ失敗しましたか', 'マージされたプルリクエストからリリースノートを書いて', 'こんにちは', '何ができますか',
    '先月と費用を比べて', '開いているプルリクエストを見せて', 'web を元に戻して', 'web を再起動して', 'ありがとう']
}

/** Words of a language that the other four do not have. */
const marks: Record<Language, RegExp> = {
  en: /\b(the|is|are|you|of|from|there|would|what|let me)\b/i,
  de: /\b(der|die|das|den|ich|ist|sind|nicht|für|auf|von|kein\w*|gern|alle)\b/i,
  fr: /\b(le|les|des|je|vous|est|sont|pour|une|dans|aucun\w*)\b/i,
  es: /\b(voy|el|los|las|del|hay|para|está|le|una|cuando|más|ning\w+|de nada)\b/i,
  ja: /[\u3040-\u30ff]/u
}
/** English that is no name, in an answer in another language. */
const isEnglish = /\b(the|there|would|you|your|have|what|which|this|that|let me|tasks run|healthy)\b/i

const introduction = "I am Steward's sandbox assistant: a script, not a language model."
const introductions = [introduction, ...[de, es, fr, ja].map((texts) => texts[introduction] ?? '')]

/** Without the introduction; what a thing is called, and what AWS and the logs say, stays as it is. */
const ownWords = (text: string): string => introductions.reduce((rest, sentence) => rest.replace(sentence, ''), text)
  .replace(/```[^]*?```|`[^`]*`|^[-|].*$/gm, '')

const ask = async (message: string): Promise<string> => {
  const { frames } = await chat(app, { message, wait_s: 0 })
  return textOf(frames)
}

for (const language of ['en', 'de', 'fr', 'es', 'ja'] as const) {
  t.test(`each starter and plain request in ${language} is answered in ${language}`, async (t) => {
    for (const request of starters[language]) {
      const answer = ownWords(await ask(request))
      t.match(answer, marks[language], `${request}: ${answer}`)
      if (language !== 'en') t.notMatch(answer, isEnglish, `${request}: ${answer}`)
    }
  })
}

/** Each text that the assistant says, as the key of its translations. */
const phrasesIn = (file: string): string[] => {
  const found: string[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'phrase') {
      const { template } = node
      found.push(ts.isNoSubstitutionTemplateLiteral(template)
        ? template.text
        : template.templateSpans.reduce((text, span, index) => `${text}{${index}}${span.literal.text}`,
          template.head.text))
    }
    node.forEachChild(walk)
  }
  walk(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true))
  return found
}

t.test('each phrase of the assistant is there in each language, with the same values', async (t) => {
  const phrases = [...new Set(listSources('packages/sandbox/src/anthropic/assistant').flatMap(phrasesIn))].sort()
  t.ok(phrases.length > 100)
  const slotsOf = (text: string) => [...text.matchAll(/\{\d\}/g)].map(String).sort().join()
  for (const [language, texts] of Object.entries({ de, es, fr, ja })) {
    t.same(Object.keys(texts).sort(), phrases, language)
    t.same(Object.entries(texts).filter(([text, other]) => slotsOf(text) !== slotsOf(other)), [], language)
  }
})
