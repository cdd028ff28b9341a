package import Delivery
import FoundationEssentials
package import Logging

extension Home {
    /// Ends this process at the point that the environment names, in a test home only.
    package func crashSwitch(of program: String) -> CrashSwitch {
        let setting = ProcessInfo.processInfo.environment["COUNTERFOIL_CRASH_AT"]
        return CrashSwitch.from(setting: setting, service: program, allowed: isTest)
    }

    /// Warns in a test home's log that purchases may be fake.
    package func warnOfTest(_ configuration: Configuration, _ logger: Logger) {
        guard isTest else { return }
        logger.warning(
            "TEST HOME: extra roots and crash points are allowed; never use it for real purchases",
            metadata: .init([.home: "\(root)", .count: "\(configuration.extraRoots.count)"])
        )
    }
}
