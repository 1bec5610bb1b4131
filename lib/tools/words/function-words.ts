/** Words that say nothing of a tool, and by which the language of a request is known. */
export const functionWords = {
  english: 'a an and are as at be been by can could did do does for from had has have here how i if in into is ' +
    'it its me my of on or our please she so that the their them there these they this those to us was we were ' +
    'what when where who will with would you your use gives',
  german: 'aber als am an auf aus bei bitte da das dass dem den der des die dies diese dieser doch du ein eine ' +
    'einem einen einer er es für gib habe haben hat ich ihr im in ist ja kann können man mal mich mir mit nach ' +
    'nicht noch nur oder sich sie sind so soll über um und uns unser unsere unserem unseren unserer vom von vor ' +
    'war was wenn wer wie will wir wird wo zu zum zur',
  french: 'à au aux avec avons ce ces cet cette chez dans de des du elle en est et il ils j je l la le les leur ' +
    'lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas peux plus pour qu que qui s sa se ses ' +
    'si son sont sur ta te toi tu un une vos votre vous y',
  spanish: 'a al algo como con cuando de del el ella en entre es esa ese esta este está están esto ha hay he la ' +
    'las le les lo los me mi mis muy nos nuestra nuestro nuestros o para pero por puede que se si sin sobre son ' +
    'su sus te tiene un una uno y ya yo'
} as const
