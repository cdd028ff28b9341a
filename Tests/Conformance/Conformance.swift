import ArgumentParser
import Glibc
import Program

/// `counterfoil-conform`: plays a phone's world to a client, and says whether the client loses money in it.
@main
enum Conformance {
    /// Leaves with 0 when every scenario passed, 1 when one failed, 2 when called wrongly.
    static func main() {
        Launch.prepare()
        do {
            exit(try ConformCommand.parse().perform() ? 0 : 1)
        } catch {
            Launch.end(ConformCommand.self, error)
        }
    }
}

/// What the caller has to change.
struct WrongUse: ProgramError {
    let description: String

    var exitCode: Int32 { Launch.usageCode }
}
