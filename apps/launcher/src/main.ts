import { launch } from './launch.ts';
import { productServices } from './product.ts';

await launch(productServices);
