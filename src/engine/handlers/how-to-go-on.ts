/** Said wherever the engine leaves an item to people. `blocked` items are not dispatched: somebody has to free them. */
export const HOW_TO_GO_ON = 'When the cause is mended, set its label to `status:unblocked`; it then goes on as before.';
