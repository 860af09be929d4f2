import {
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  Input,
  type VariantColorsResolver,
} from '@mantine/core';

/** The tokens that a style prop may name: `c="muted"`. */
const tones = ['accent', 'danger', 'muted', 'ok', 'subtle', 'update', 'warn'];

/** The margin that puts a button in line with a field, not with its label, where they stand side by side. */
export const labelRoom = { base: 0, sm: 26 };

const px = (value: number) => `${value / 16}rem`;

// All shades are the same token: the tokens follow the theme, so Mantine must not choose a shade.
const tuple = (token: string) => colorsTuple(`var(--${token})`);

const resolveVariant: VariantColorsResolver = (input) => {
  const tone = input.color === 'danger' ? 'danger' : 'accent';
  const outline = { border: '1px solid var(--control)', background: 'var(--surface)', hover: 'var(--hover)' };
  switch (input.variant) {
    case 'filled':
      return tone === 'danger'
        ? {
            background: 'var(--danger-dot)',
            hover: 'var(--danger)',
            color: 'var(--on-danger)',
            border: '1px solid transparent',
          }
        : {
            background: 'var(--accent)',
            hover: 'var(--accent-hover)',
            color: 'var(--on-accent)',
            border: '1px solid transparent',
          };
    case 'default':
      return { ...outline, color: tone === 'danger' ? 'var(--danger)' : 'var(--text)' };
    case 'subtle':
      return {
        background: 'transparent',
        hover: 'var(--hover)',
        color: tone === 'danger' ? 'var(--danger)' : 'var(--muted)',
        border: '1px solid transparent',
      };
    default:
      return defaultVariantColorsResolver(input);
  }
};

export const mantineTheme = createTheme({
  colors: Object.fromEntries(tones.map((tone) => [tone, tuple(tone)])),
  breakpoints: { xs: '480px', sm: '768px', md: '1024px', lg: '1280px', xl: '1440px' },
  primaryColor: 'accent',
  variantColorResolver: resolveVariant,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: px(12), sm: px(14), md: px(14), lg: px(16), xl: px(20) },
  radius: { xs: px(4), sm: px(6), md: px(8), lg: px(12), xl: px(16) },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Checkbox: { defaultProps: { size: 'xs', radius: 'xs', iconColor: 'var(--on-accent)' } },
    Pagination: {
      vars: () => ({
        root: { '--pagination-control-size': 'var(--row)', '--pagination-active-color': 'var(--on-accent)' },
      }),
    },
    // The head of a dialog would be announced as the banner of the page.
    DrawerHeader: { defaultProps: { component: 'div' } },
    ModalHeader: { defaultProps: { component: 'div' } },
    // Text takes the size and line of what it stands in, unless a style prop says otherwise.
    Text: { defaultProps: { inherit: true } },
    Input: Input.extend({
      vars: () => ({
        wrapper: {
          '--input-height': 'var(--control-height)',
          '--input-fz': 'var(--control-font)',
          // A placeholder keeps its colour in a field with an error.
          '--input-placeholder-color': 'var(--mantine-color-placeholder)',
        },
      }),
    }),
  },
});

const variables = {
  '--mantine-text-wrap': 'inherit',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--subtle)',
  '--mantine-color-placeholder': 'var(--subtle)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--danger)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

export const resolveCssVariables: CSSVariablesResolver = () => ({ variables, light: variables, dark: variables });
