import Delivery
package import Domain
package import Logging
import NIOConcurrencyHelpers

/// The loaded catalog of a home, and each one that is loaded while the process runs.
///
/// A load puts a whole new file in the place of the old one, so another file is seen by its inode, size and time.
package final class CatalogFollower: Sendable {
    /// How often the file is looked at, at most, ms.
    static let interval: Int64 = 1_000

    private struct Unreadable: Equatable {
        /// Nil when there was no file.
        let stamp: FileStamp?
    }

    private struct State {
        var catalog: Catalog
        /// Of the file that was read.
        var stamp: FileStamp?
        /// What could not be read last; it is tried again, and told of once.
        var unreadable: Unreadable?
        /// Milliseconds of uptime.
        var lookedAt: Int64
    }

    private let home: Home
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// Reads the loaded catalog.
    package init(of home: Home, logger: Logger) throws(ConfigurationError) {
        self.home = home
        self.logger = logger
        // Before the file: if it is replaced in between, it is read again.
        let stamp = FileStamp(home.loadedCatalogFile)
        let catalog = try Catalog(loadedIn: home)
        let now = ClockReading.current().uptime
        state = NIOLockedValueBox(State(catalog: catalog, stamp: stamp, lookedAt: now))
    }

    /// The catalog that is loaded now; it is looked for once a second at most.
    package func current(at uptime: Int64 = ClockReading.current().uptime) -> Catalog {
        state.withLockedValue { state in
            guard abs(uptime - state.lookedAt) >= Self.interval else { return state.catalog }
            state.lookedAt = uptime
            let stamp = FileStamp(home.loadedCatalogFile)
            guard stamp != state.stamp else { return state.catalog }
            do throws(ConfigurationError) {
                state.catalog = try Catalog(loadedIn: home)
                state.stamp = stamp
                logger.info("Catalog changed", metadata: .init([.catalog: "\(state.catalog.version)"]))
            } catch {
                // What was loaded before holds: only a load may change it.
                guard state.unreadable != Unreadable(stamp: stamp) else { return state.catalog }
                state.unreadable = Unreadable(stamp: stamp)
                let metadata: [LogKey: Logger.MetadataValue] = [
                    .catalog: "\(state.catalog.version)", .error: "\(error)",
                ]
                logger.error("The loaded catalog cannot be read", metadata: .init(metadata))
            }
            return state.catalog
        }
    }
}
