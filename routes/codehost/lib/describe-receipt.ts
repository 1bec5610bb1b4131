import type { ReceiptRow } from '../../../db/codehost/receipts.js'
import type { Receipt } from '../../../schemas/codehost/receipts.js'

export const describeReceipt = ({ id, ...row }: ReceiptRow): Receipt => ({ receipt_id: id, ...row })
