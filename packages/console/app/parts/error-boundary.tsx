import { Component, type ReactNode } from "react";
import { Problem } from "./states.tsx";

/** Shows an error of its page in place of the page. React has this only as a class. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Problem error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
