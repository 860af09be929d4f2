export const desktop = { width: 1440, height: 900 };
export const phone = { width: 360, height: 740 };

/** For `test.use`. */
export const onPhone = { viewport: phone, hasTouch: true, isMobile: true };
