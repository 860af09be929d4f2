import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['@vigie/source', 'module', 'browser', 'development|production'] },
  build: { outDir: '../../dist/web', emptyOutDir: true },
});
