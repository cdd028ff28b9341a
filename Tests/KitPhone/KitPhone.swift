import CounterfoilClient
import FoundationEssentials
import Glibc

/// `counterfoil-kit-phone`: an app that uses the kit, as `counterfoil-conform` and `counterfoil-load` start it.
///
/// It speaks the protocol of Tests/Conformance/README.md: events as JSON lines on standard input, and what it does as
/// JSON lines on standard output. StoreKit, the clock and the network are played by whoever started it.
@main
enum KitPhone {
    /// Lives until its input ends; leaves with 2 if it was started wrongly, or told something that it does not read.
    @concurrent static func main() async {
        let environment = ProcessInfo.processInfo.environment
        do {
            let phone = try Phone(environment)
            await withTaskExecutorPreference(phone.executor) { await phone.live() }
            exit(0)
        } catch {
            end(saying: error)
        }
    }

    /// Leaves with 2.
    static func end(saying error: any Error) -> Never {
        let text = "counterfoil-kit-phone: \(error)\n"
        _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
        exit(2)
    }
}

/// What the caller has to change.
struct WrongStart: Error, CustomStringConvertible {
    let description: String
}
