/** Words that a title cut from a sentence must not end with, in the languages that are read. */
export const weakEnds: ReadonlySet<string> = new Set((
  'the a an to of in on at by for with and or from into than within that which its their be as is are ' +
  'not after before will can may must should shall would this these it they we he being having without ' +
  'if when what who how whether because due such more any each every some all also only has have was ' +
  'were does do cannot so up out over between through per via using no one other another our your same ' +
  'whose where while until but und oder der die das den dem des ein eine einen einer eines zu im am für ' +
  'mit von auf aus bei wenn dass wird werden ist sind muss kann soll nicht nach le la les du de un une ' +
  'et ou à au aux en par pour sur avec dans que qui est sont doit peut el los las del y o con por para ' +
  'se es debe puede'
).split(' '))
