/// The answer to `--version`.
package enum Release {
    /// Shared by all programs of this package: they are built, installed and upgraded together.
    package static let version = "0.1.0-dev"
}
