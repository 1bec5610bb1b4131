import { realModel } from '../introduction.js'
import { language, type Language } from '../speech/index.js'
import { examplesIn } from './examples.js'
import type { Skill, Steps } from './skill.js'

const hello = new RegExp('^\\W*(hello|hi|hey|good (morning|afternoon|evening)|hallo|guten (morgen|tag|abend)|moin|' +
  'servus|bonjour|salut|bonsoir|hola|buen[oa]s (días|tardes|noches)|こんにちは|こんばんは|おはよう(ございます)?)' +
  '([\\s,]+(there|steward|zusammen|à tous|a todos|ça va|qué tal|wie geht\'s|wie geht es dir))?[^\\p{L}]*$', 'iu')
const canDo = [
  /\bwhat (can|do) you (not )?(do|know|help)|\bwhat (are|is) (you|this|steward)\b|\bwho are you\b/i,
  /\bhow (can|do) (you|i) (help|start|begin|use)|^\W*help( me)?\W*$/i,
  /\b(was|womit|wie) (kannst|machst) du\b|\bwer bist du\b|\bhilf mir\b|^\W*hilfe\W*$|\bwie (fange ich an|funktioniert das)/i,
  /\b(que|qu'est-ce que tu) (peux|sais)[- ]tu|\bque peux-tu faire|\bqui es[- ]tu\b|^\W*(aide|aidez)([- ]moi)?\W*$|^\W*ça va|comment ça marche|par où commencer/iu,
  /qué (puedes|sabes) hacer|quién eres|^\W*ayuda\W*$|cómo (empiezo|funciona esto)|^\W*qué tal\W*$/iu,
  /何ができ|あなたは誰|助けて|使い方|始め方/u
]

interface Words { hello: string, can: string, asks: string, try: string }

const words: Record<Language, Words> = {
  en: {
    hello: 'Hello.',
    can: 'I read your containers, functions, costs, logs, builds, repositories, specs and content.',
    asks: 'What changes something waits until you approve it.',
    try: 'Try one of these:'
  },
  de: {
    hello: 'Hallo.',
    can: 'Ich lese Container, Funktionen, Kosten, Protokolle, Builds, Repositorys, Spezifikationen und Inhalte.',
    asks: 'Was etwas ändert, wartet auf deine Freigabe.',
    try: 'Versuch es zum Beispiel damit (auf Englisch verstehe ich am meisten):'
  },
  fr: {
    hello: 'Bonjour.',
    can: 'Je lis vos conteneurs, fonctions, coûts, journaux, builds, dépôts, spécifications et contenus.',
    asks: 'Ce qui change quelque chose attend votre accord.',
    try: "Essayez par exemple (c'est en anglais que je comprends le mieux) :"
  },
  es: {
    hello: 'Hola.',
    can: 'Leo sus contenedores, funciones, costes, registros, builds, repositorios, especificaciones y contenidos.',
    asks: 'Lo que cambia algo espera su aprobación.',
    try: 'Pruebe por ejemplo (en inglés es como más entiendo):'
  },
  ja: {
    hello: 'こんにちは。',
    can: 'コンテナ、関数、費用、ログ、ビルド、リポジトリ、仕様、コンテンツを読むことができます。',
    asks: '何かを変更する操作は、承認されるまで実行されません。',
    try: '例えば次のように聞いてください（英語が一番よく分かります）。'
  }
}

function * greet (message: string): Steps {
  const { hello: greeting, can, asks, try: attempt } = words[language()]
  const start = hello.test(message) ? `${greeting} ${can}` : can
  return `${start} ${asks}\n\n${attempt}\n\n${examplesIn().map((one) => `- ${one}`).join('\n')}\n\n${realModel()}`
}

/** "Hello", "What can you do?", in five languages. */
export const greeting: Skill = (_, { message }) =>
  hello.test(message) || canDo.some((form) => form.test(message)) ? greet(message) : undefined
