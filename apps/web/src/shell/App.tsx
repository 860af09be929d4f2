import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { Provider } from 'react-redux';
import { mantineTheme, resolveCssVariables } from '../ui/mantine';
import { useTheme } from '../ui/theme';
import { useBusyButtonFocus } from '../ui/focus';
import { router } from './router';
import { store } from '../kit/store';

export function App() {
  const { resolved } = useTheme();
  useBusyButtonFocus();
  return (
    <Provider store={store}>
      <MantineProvider
        theme={mantineTheme}
        cssVariablesResolver={resolveCssVariables}
        forceColorScheme={resolved}
        deduplicateCssVariables={false}
      >
        <RouterProvider router={router} />
      </MantineProvider>
    </Provider>
  );
}
