import {FileDrop, type FileDropProps} from '../../design/file_drop.tsx';

/** The field for a template's file, which few templates have. */
export function TemplateFile(props: FileDropProps) {
  return <FileDrop {...props} />;
}
