import type { Risk } from './options.js'

const order: readonly Risk[] = ['low', 'medium', 'high']

/** @returns the highest of the risks */
export const riskiest = (risks: readonly Risk[]): Risk =>
  order[Math.max(0, ...risks.map((risk) => order.indexOf(risk)))] ?? 'high'
