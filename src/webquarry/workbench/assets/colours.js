// Colours of columns and levels, apart enough to be told from their neighbours, readable on light and dark.

const HUE_STEP = 137.5; // degrees

export const colourOf = (number) => `hsl(${(210 + number * HUE_STEP) % 360} 75% 42%)`;
