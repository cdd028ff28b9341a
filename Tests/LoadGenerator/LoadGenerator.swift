import ArgumentParser
import Glibc
import Program

/// `counterfoil-load`: plays phones that buy, and proves that nothing paid for was lost or granted twice.
@main
enum LoadGenerator {
    /// Leaves with 0 when every law held, 1 when one was broken or the run failed, 2 when called wrongly.
    @concurrent static func main() async {
        Launch.prepare()
        do {
            exit(try await LoadCommand.parse().perform() ? 0 : 1)
        } catch {
            Launch.end(LoadCommand.self, error)
        }
    }
}

/// What the caller has to change.
struct WrongUse: ProgramError {
    let description: String

    var exitCode: Int32 { Launch.usageCode }

    /// The app has no key, or one for another App Store.
    static let withoutKey = WrongUse(
        description:
            "the group does not ask the simulator of --app-store, so that shared phones cannot be judged: give the app "
            + "a key for it (counterfoil init --test --app-store URL), or leave `sharedPhones` out"
    )

    /// The home of the gateway does not have the root certificate of this run's App Store.
    static let untrustedRoot = WrongUse(
        description:
            "the gateway does not trust the root certificate of --appstore-state: write it to a file with "
            + "--write-root, and name that in extraRoots of a test home (counterfoil init --test --extra-root FILE)"
    )
}
